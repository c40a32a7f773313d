import { WORDS } from '../lexicon/lexicon.ts';
import { add, raise } from './arrays.ts';
import { CONTEXT_WEIGHTS } from './context-weights.ts';
import type { ParsedConversation } from './parsed-conversation.ts';

/** Content of a word that belongs to a request phrase ("can you find me"). */
const REQUEST_CONTENT = 0.02;

/**
 * By token, its share of its message's content. Negated words and words of the assistant have none, and words of a
 * request phrase have little.
 */
export function computeContentShares(parsed: ParsedConversation, isNegated: Uint8Array): Float32Array {
  const { messages, hits, tokens, isUser, lexicon, pool } = parsed;
  const shares = pool.float32(tokens.length);
  for (let token = 0; token < shares.length; token++)
    if (isUser[token] && !isNegated[token]) shares[token] = tokens.word(token).rarity;
  for (const { topic, from, to } of hits)
    if (lexicon.isIntent[topic] && isUser[from]) shares.fill(REQUEST_CONTENT, from, to + 1);
  const totals = pool.float32((tokens.messages.at(-1) ?? 0) + 1).fill(CONTEXT_WEIGHTS.unseenContent);
  for (const [message, { topics }] of messages.entries()) if (topics) totals[message] = 0; // the message's entire content is known
  for (let token = 0; token < shares.length; token++) add(totals, tokens.message(token), shares[token] ?? 0);
  for (let token = 0; token < shares.length; token++) {
    const total = totals[tokens.message(token)] || 1;
    shares[token] = (shares[token] ?? 0) / total;
  }
  return shares;
}

/** By topic, the largest share of a message's content that its phrases cover. */
export function computeTopicCoverage(
  { hits, tokens, lexicon, pool }: ParsedConversation,
  shares: Float32Array,
): Float32Array {
  const coverage = pool.float32(lexicon.topics.length);
  let share = 0;
  /** The topic and the message of `share`, and the last token counted. */
  let current = -1;
  let message = -1;
  let counted = -1;
  for (const { topic, from, to } of hits) {
    if (topic !== current) counted = -1;
    if (topic !== current || tokens.message(to) !== message) share = 0;
    current = topic;
    message = tokens.message(to);
    for (let token = Math.max(from, counted + 1); token <= to; token++) share += shares[token] ?? 0;
    counted = to;
    raise(coverage, topic, share);
  }
  return coverage;
}

/** The share of the user's words that are small talk, from 0 to 1; 1 if the user said nothing. */
export function computeSmallTalkShare({ hits, isUser, lexicon, pool }: ParsedConversation, userWords: number): number {
  const isSmallTalk = pool.uint8(isUser.length);
  for (const { topic, kind, from, to } of hits)
    if (topic === lexicon.internalTopics.smallTalk && kind !== WORDS && isUser[from]) isSmallTalk.fill(1, from, to + 1);
  return userWords === 0 ? 1 : countFlags(isSmallTalk) / userWords;
}

/**
 * Counts the flags that are set. An indexed loop over a typed array is several times faster than iterators and
 * callbacks.
 */
export function countFlags(flags: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < flags.length; i++) sum += flags[i] ?? 0;
  return sum;
}
