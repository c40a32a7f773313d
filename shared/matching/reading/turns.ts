import { WANT } from '../lexicon/lexicon.ts';
import type { ArrayPool } from './arrays.ts';
import { CONTEXT_WEIGHTS } from './context-weights.ts';
import { getPhraseStrength } from './evidence.ts';
import type { ParsedConversation } from './parsed-conversation.ts';
import type { Message } from './tokens.ts';

/** The number of turns since an event that never happened. */
export const NEVER = 1 << 20;

/** By message, the number of later user turns. An assistant's message belongs to the turn that it answers. */
export function countTurnsAgo(messages: readonly Message[], pool: ArrayPool): Int32Array {
  const turns = pool.int32(messages.length);
  let later = messages.filter(({ role }) => role === 'user').length;
  for (const [message, { role }] of messages.entries()) {
    if (role === 'user') later--;
    turns[message] = later;
  }
  return turns;
}

export interface TopicMentions {
  /** By topic, how many turns ago the user last mentioned it, or NEVER. */
  turnsSince: Int32Array;
  /** Turns since the user last mentioned any topic, or NEVER. */
  newestTurn: number;
  /** Whether any topic was requested, not only named. */
  hasRequest: boolean;
  /** By message, 1 if the user asks for something in it. */
  isRequest: Uint8Array;
}

/**
 * When the user last brought up each topic: named it clearly in a request, or expressed a need for it. A topic that is
 * named outside a request is a detail ("a hotel near a cinema"). In a conversation without any request, naming a topic
 * is enough.
 */
export function findTopicMentions(parsed: ParsedConversation, turns: Int32Array): TopicMentions {
  const { hits, tokens, isUser, lexicon, pool } = parsed;
  const isRequest = pool.uint8(turns.length);
  for (const { topic, from } of hits) if (lexicon.isIntent[topic] && isUser[from]) isRequest[tokens.message(from)] = 1;
  const requestedAgo = pool.int32(lexicon.topics.length).fill(NEVER);
  const namedAgo = pool.int32(lexicon.topics.length).fill(NEVER);
  let hasRequest = false;
  for (const hit of hits) {
    const { topic, from } = hit;
    if (lexicon.isInternal[topic] || !isUser[from] || getPhraseStrength(hit) < CONTEXT_WEIGHTS.clearPhrase) continue;
    const message = tokens.message(from);
    const ago = turns[message] ?? NEVER;
    namedAgo[topic] = Math.min(namedAgo[topic] ?? NEVER, ago);
    if (!isRequest[message] && hit.kind !== WANT) continue;
    requestedAgo[topic] = Math.min(requestedAgo[topic] ?? NEVER, ago);
    hasRequest = true;
  }
  const turnsSince = hasRequest ? requestedAgo : namedAgo;
  let newestTurn = NEVER;
  for (let topic = 0; topic < turnsSince.length; topic++) newestTurn = Math.min(newestTurn, turnsSince[topic] ?? NEVER);
  return { turnsSince, newestTurn, hasRequest, isRequest };
}
