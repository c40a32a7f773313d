import { useRef, useState } from 'preact/hooks';
import type { Input, Result } from '../../packages/client/src/index.ts';
import { useAct } from '../parts/live.ts';
import { useSession } from '../session.ts';

export type PreviewBody = Result<'POST /api/v1/campaigns/preview'>;
type PreviewInput = Input<'POST /api/v1/campaigns/preview'>['body'];

/** Asks what a campaign would make of a conversation, and how many it reaches; stores and spends nothing. */
export function usePreview() {
  const { ads } = useSession();
  const { isBusy, problem, act } = useAct(false);
  const [preview, setPreview] = useState<PreviewBody | null>(null);
  const latest = useRef(0);
  const run = (body: PreviewInput) => {
    const turn = ++latest.current;
    return act(async () => {
      const answer = await ads('POST /api/v1/campaigns/preview', { body });
      if (turn === latest.current) setPreview(answer); // what was asked before may be answered after
    });
  };
  return { preview, isBusy, problem, run };
}
