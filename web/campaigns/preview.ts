import { useRef, useState } from 'preact/hooks';
import type { Input, Result } from '../../packages/client/src/index.ts';
import { useAct } from '../parts/live.ts';
import { useSession } from '../session.ts';
import type { NewCampaign } from './bodies.ts';
import type { Message } from './conversation.ts';

export type PreviewBody = Result<'POST /api/v1/campaigns/preview'>;
type PreviewInput = Input<'POST /api/v1/campaigns/preview'>['body'];

/** A preview and what it is about. */
interface Preview extends PreviewBody {
  messages: readonly Message[];
  /** The ad of a campaign that is not saved. */
  creative: NewCampaign['creative'];
}

/** Previews how a campaign matches a conversation, and how many conversations it reaches. Stores and spends nothing. */
export function usePreview() {
  const { ads } = useSession();
  const { isBusy, problem, act } = useAct(false);
  const [preview, setPreview] = useState<Preview | null>(null);
  const latest = useRef(0);
  const run = (body: PreviewInput) => {
    const turn = ++latest.current;
    // Clear the previous result: it is about another conversation, and this request may fail.
    setPreview((known) => known && { ...known, match: null });
    return act(async () => {
      const answer = await ads('POST /api/v1/campaigns/preview', { body });
      if (turn !== latest.current) return; // an earlier request may finish later
      setPreview({ ...answer, messages: body?.messages ?? [], creative: body?.campaign?.creative });
    });
  };
  return { preview, isBusy, problem, run };
}
