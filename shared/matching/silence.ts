import type { Lexicon } from './lexicon.ts';
import type { Reading } from './reading.ts';

/** Evidence below which a conversation has no commercial topic. */
const FAINT = 0.3;
/** Share of the user's words from which on a conversation is small talk. */
const CHATTING = 0.5;

/** Why a conversation gets no ad: `task` is something to be done, written or answered that no product is behind. */
export type Silence =
  | 'sensitive_context'
  | 'small_talk'
  | 'task'
  | 'no_commercial_context'
  | 'no_match'
  | 'below_threshold';

/** Why nobody bids in a conversation that could have ads, among `candidates` campaigns that were weighed. */
export function silence(candidates: number, { evidence, strongest, smallTalk }: Reading, { known }: Lexicon): Silence {
  if (smallTalk > CHATTING) return 'small_talk';
  for (const task of [known.device, known.weather, known.trivia, known.task, known.writing])
    if (evidence[task]! > strongest) return 'task';
  if (strongest < FAINT) return 'no_commercial_context';
  return candidates === 0 ? 'no_match' : 'below_threshold';
}
