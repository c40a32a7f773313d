import { VECTOR_SIZE } from '../lexicon/lexicon.ts';
import { addWordVector, normalize } from '../lexicon/vectors.ts';
import type { ParsedConversation } from './parsed-conversation.ts';

/** Decay of a turn's words per later user turn. */
const DECAY_PER_TURN = 0.7;
const ASSISTANT_WEIGHT = 0.2;
/** Words below this weight are too old to count. */
const MIN_WEIGHT = 0.01;

/**
 * The unit-length vector of a conversation: its words weighted by rarity, with the newest turns and the user's words counting most. Negated
 * words do not count: a user who wants no bike should not see one.
 */
export function buildConversationVector(
  { tokens, isUser, lexicon, pool }: ParsedConversation,
  turns: Int32Array,
  isNegated: Uint8Array,
): Float32Array {
  const sum = pool.float32(VECTOR_SIZE);
  let message = -1;
  let turnWeight = 0;
  for (let token = tokens.length - 1; token >= 0; token--) {
    if (tokens.message(token) !== message) {
      message = tokens.message(token);
      turnWeight = DECAY_PER_TURN ** turns[message]! * (isUser[token] ? 1 : ASSISTANT_WEIGHT);
    }
    if (turnWeight < MIN_WEIGHT) break;
    if (isNegated[token]) continue;
    addWordVector(sum, tokens.wordNumber(token), turnWeight * tokens.word(token).rarity, lexicon);
  }
  return normalize(sum);
}
