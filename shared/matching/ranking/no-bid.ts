import type { ConversationReading } from '../reading/reading.ts';
import type { Message } from '../reading/tokens.ts';

/** Evidence below which a conversation has no commercial topic. */
const LEAST_EVIDENCE = 0.3;
/** Share of the user's words from which on a conversation is small talk. */
const MOST_SMALL_TALK = 0.5;

/** Why a conversation gets no ad. */
export type NoMatchReason =
  | 'sensitive_context'
  | 'no_user_message'
  | 'no_commercial_context'
  | 'no_match'
  | 'below_threshold';

/** Those that are true whichever campaigns there are. */
export const isOfConversation = (reason: string | null): boolean =>
  reason === 'sensitive_context' || reason === 'no_user_message';

/** Whether somebody is there to show an ad to: a user who has said a word. */
export const hasUserMessage = (messages: readonly Message[]): boolean =>
  messages.some(({ role, content }) => role === 'user' && /[\p{L}\p{N}]/u.test(content));

/** Why nobody bids in a conversation that could have ads, among `candidates` campaigns that were scored. */
export const noBid = (candidates: number, reading: ConversationReading): NoMatchReason =>
  isCommercial(reading) ? (candidates === 0 ? 'no_match' : 'below_threshold') : 'no_commercial_context';

/** Whether a product is behind what is talked about: not in small talk, nor where something is to be done, written or answered. */
function isCommercial({ evidence, strongestEvidence, smallTalkShare, lexicon }: ConversationReading): boolean {
  const { deviceCommand, weather, trivia, task, writing } = lexicon.internalTopics;
  const tasks = [deviceCommand, weather, trivia, task, writing];
  return (
    smallTalkShare <= MOST_SMALL_TALK &&
    strongestEvidence >= LEAST_EVIDENCE &&
    tasks.every((topic) => (evidence[topic] ?? 0) <= strongestEvidence)
  );
}
