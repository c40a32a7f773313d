import { useRef, useState } from 'preact/hooks';
import type { Input, Result } from '../../packages/client/src/index.ts';
import { useAct } from '../parts/live.ts';
import { useSession } from '../session.ts';
import type { Message } from './conversation.ts';

export type PreviewBody = Result<'POST /api/v1/campaigns/preview'>;
type PreviewInput = Input<'POST /api/v1/campaigns/preview'>['body'];

/** An answer, and the conversation that it is about. */
interface Preview extends PreviewBody {
  messages: readonly Message[];
}

/** Asks what a campaign would make of a conversation, and how many it reaches; stores and spends nothing. */
export function usePreview() {
  const { ads } = useSession();
  const { isBusy, problem, act } = useAct(false);
  const [preview, setPreview] = useState<Preview | null>(null);
  const latest = useRef(0);
  const run = (body: PreviewInput) => {
    const turn = ++latest.current;
    // What was found of another conversation says nothing of this one, even where no answer comes.
    setPreview((known) => known && { ...known, match: null });
    return act(async () => {
      const answer = await ads('POST /api/v1/campaigns/preview', { body });
      if (turn === latest.current) setPreview({ ...answer, messages: body?.messages ?? [] }); // what was asked before may be answered after
    });
  };
  return { preview, isBusy, problem, run };
}
