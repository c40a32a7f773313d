import { showsCode } from '../text/code.ts';
import { lower } from './columns.ts';
import type { ParsedConversation } from './parsed.ts';
import { CONTEXT_WEIGHTS } from './weights.ts';

/**
 * By token, how much its message lets it be a need; nothing when all of them do. What a device is told to remember or a text is to be
 * about is not asked for ("remind me to buy dog food", "a story about a train"), though the words of the command itself may name a
 * product; nor is what stands in code; and what somebody merely states ("my brother had pizza") is seldom a need.
 */
export function needWeightsOf(parsed: ParsedConversation, isRequest: Uint8Array): Float32Array | undefined {
  const { messages, hits, tokens, lexicon, pool } = parsed;
  const { deviceCommand, writing, trivia, statement } = lexicon.internalTopics;
  const byMessage = pool.float32(messages.length);
  for (const [message, { content }] of messages.entries())
    byMessage[message] = showsCode(content) ? CONTEXT_WEIGHTS.writing : 1;
  for (const { topic, from } of hits) {
    const message = tokens.message(from);
    if (topic === deviceCommand) lower(byMessage, message, CONTEXT_WEIGHTS.deviceCommand);
    else if (topic === writing) lower(byMessage, message, CONTEXT_WEIGHTS.writing);
    else if (topic === trivia && !isRequest[message]) lower(byMessage, message, CONTEXT_WEIGHTS.trivia);
    else if (topic === statement && !isRequest[message]) lower(byMessage, message, CONTEXT_WEIGHTS.statement);
  }
  if (byMessage.every((weight) => weight === 1)) return undefined;
  const byToken = pool.float32(tokens.length);
  for (let token = 0; token < byToken.length; token++) byToken[token] = byMessage[tokens.message(token)] ?? 1;
  for (const { topic, from, to } of hits) if (topic === writing) byToken.fill(1, from, to + 1);
  return byToken;
}

/** Words inside a phrase that is no product do not speak for keywords either: "I am a hair stylist". */
export function muteNonProducts(tokenWeights: Float32Array, { hits, lexicon }: ParsedConversation): void {
  const { hidesProducts, isIntent } = lexicon;
  for (const { topic, from, to, hasGaps } of hits)
    if (hidesProducts[topic] && !isIntent[topic] && to > from && !hasGaps) tokenWeights.fill(0, from, to + 1);
}
