import { hasCode } from '../text/code.ts';
import { lower } from './arrays.ts';
import { CONTEXT_WEIGHTS } from './context-weights.ts';
import type { ParsedConversation } from './parsed-conversation.ts';
import { NEVER } from './turns.ts';

/** Weight per token, from 0 to 1: by speaker, and by distance in turns from the newest topical turn. Negated words weigh 0. */
export function computeTokenWeights(
  { messages, tokens, pool }: ParsedConversation,
  turns: Int32Array,
  newestTurn: number,
  isNegated: Uint8Array,
): Float32Array {
  const weightByMessage = messages.map(({ role }, message) => {
    const ago = turns[message] ?? 0;
    const age = newestTurn === NEVER ? ago : Math.max(0, ago - newestTurn);
    const decay = Math.max(CONTEXT_WEIGHTS.minDecay, CONTEXT_WEIGHTS.decayPerTurn ** age);
    return (role === 'user' ? 1 : CONTEXT_WEIGHTS.assistant) * decay;
  });
  const weights = pool.float32(tokens.length);
  for (let token = 0; token < weights.length; token++)
    weights[token] = isNegated[token] ? 0 : (weightByMessage[tokens.message(token)] ?? 0);
  return weights;
}

/**
 * Per token, how much its message can express a need; undefined if all can. The content of a reminder or of a text to be written is not a
 * need ("remind me to buy dog food", "a story about a train"), although the command itself may name a product. Code never expresses a need,
 * and a statement ("my brother had pizza") rarely does.
 */
export function computeNeedWeights(parsed: ParsedConversation, isRequest: Uint8Array): Float32Array | undefined {
  const { messages, hits, tokens, lexicon, pool } = parsed;
  const { deviceCommand, writing, trivia, statement } = lexicon.internalTopics;
  const weightByMessage = pool.float32(messages.length);
  for (const [message, { content }] of messages.entries())
    weightByMessage[message] = hasCode(content) ? CONTEXT_WEIGHTS.writing : 1;
  for (const { topic, from } of hits) {
    const message = tokens.message(from);
    if (topic === deviceCommand) lower(weightByMessage, message, CONTEXT_WEIGHTS.deviceCommand);
    else if (topic === writing) lower(weightByMessage, message, CONTEXT_WEIGHTS.writing);
    else if (topic === trivia && !isRequest[message]) lower(weightByMessage, message, CONTEXT_WEIGHTS.trivia);
    else if (topic === statement && !isRequest[message]) lower(weightByMessage, message, CONTEXT_WEIGHTS.statement);
  }
  if (weightByMessage.every((weight) => weight === 1)) return undefined;
  const weightByToken = pool.float32(tokens.length);
  for (let token = 0; token < weightByToken.length; token++)
    weightByToken[token] = weightByMessage[tokens.message(token)] ?? 1;
  for (const { topic, from, to } of hits) if (topic === writing) weightByToken.fill(1, from, to + 1);
  return weightByToken;
}

/** Words inside a phrase that is not a product do not count for keywords either: "I am a hair stylist". */
export function muteNonProducts(tokenWeights: Float32Array, { hits, lexicon }: ParsedConversation): void {
  const { hidesProducts, isIntent } = lexicon;
  for (const { topic, from, to, hasGaps } of hits)
    if (hidesProducts[topic] && !isIntent[topic] && to > from && !hasGaps) tokenWeights.fill(0, from, to + 1);
}
