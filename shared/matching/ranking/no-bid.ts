import type { Lexicon } from '../lexicon/lexicon.ts';
import type { Reading } from '../reading/reading.ts';

/** Evidence below which a conversation has no commercial topic. */
const FAINT = 0.3;
/** Share of the user's words from which on a conversation is small talk. */
const CHATTING = 0.5;

/** Why a conversation gets no ad. */
export type Silence = 'sensitive_context' | 'no_commercial_context' | 'no_match' | 'below_threshold';

/** Why nobody bids in a conversation that could have ads, among `candidates` campaigns that were weighed. */
export const silence = (candidates: number, reading: Reading, lexicon: Lexicon): Silence =>
  isCommercial(reading, lexicon) ? (candidates === 0 ? 'no_match' : 'below_threshold') : 'no_commercial_context';

/** Whether a product is behind what is talked about: not in small talk, nor where something is to be done, written or answered. */
function isCommercial({ evidence, strongest, smallTalk }: Reading, { known }: Lexicon): boolean {
  const tasks = [known.device, known.weather, known.trivia, known.task, known.writing];
  return smallTalk <= CHATTING && strongest >= FAINT && tasks.every((task) => evidence[task]! <= strongest);
}
