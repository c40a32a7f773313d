import { VECTOR_SIZE } from '../lexicon/lexicon.ts';
import { addWordVector, normalize } from '../lexicon/vectors.ts';
import type { ParsedConversation } from './parsed-conversation.ts';

/** Of the words of a turn, for each turn of the user since. */
const DECAY_PER_TURN = 0.7;
const ASSISTANT_WEIGHT = 0.2;
/** Below it, words are too long ago to count. */
const MIN_WEIGHT = 0.01;

/** What a conversation is about as a vector of length 1: its words by their rarity, the newest turns and the user's most. */
export function buildConversationVector(
  { tokens, isUser, lexicon, pool }: ParsedConversation,
  turns: Int32Array,
): Float32Array {
  const sum = pool.float32(VECTOR_SIZE);
  let message = -1;
  let ofTurn = 0;
  for (let token = tokens.length - 1; token >= 0; token--) {
    if (tokens.message(token) !== message) {
      message = tokens.message(token);
      ofTurn = DECAY_PER_TURN ** turns[message]! * (isUser[token] ? 1 : ASSISTANT_WEIGHT);
    }
    if (ofTurn < MIN_WEIGHT) break;
    addWordVector(sum, tokens.wordNumber(token), ofTurn * tokens.word(token).rarity, lexicon);
  }
  return normalize(sum);
}
