import type { Lexicon } from '../lexicon/lexicon.ts';
import type { Hit } from '../lexicon/phrases.ts';
import { showsCode } from '../text/code.ts';
import type { Scratch } from './array-pool.ts';
import type { Message, Tokens } from './conversation.ts';
import { CONTEXT } from './weights.ts';

/** Drops products named inside a longer phrase that is none: "vacation days", "is it going to rain", "what pets do you have". */
export function outermost(hits: Hit[], tokens: Tokens, lexicon: Lexicon, scratch: Scratch): Hit[] {
  // Furthest end of such a phrase that began before each token, and of one that begins with it.
  const before = scratch.integers(tokens.at.length).fill(-1);
  const here = scratch.integers(tokens.at.length).fill(-1);
  for (const { topic, from, to, gaps } of hits) {
    if (!lexicon.covers[topic] || (gaps && lexicon.intents[topic])) continue;
    here[from] = Math.max(here[from]!, to);
    for (let token = from + 1; token <= to; token++) before[token] = Math.max(before[token]!, to);
  }
  return hits.filter(({ topic, from, to }) => lexicon.own[topic] || (before[from]! < to && here[from]! < to));
}

/**
 * By token, how much its message lets it be a need; nothing when all of them do. What a device is told to remember or a text
 * is to be about is not asked for ("remind me to buy dog food", "a story about a train"), though the words of the errand
 * itself may name a product; nor is what stands in code; and what somebody merely tells ("my brother had pizza") is seldom a need.
 */
export function needs(
  messages: readonly Message[],
  hits: Hit[],
  { message }: Tokens,
  asks: Uint8Array,
  { known }: Lexicon,
  scratch: Scratch,
): Float32Array | undefined {
  const need = scratch.floats(messages.length);
  for (let index = 0; index < need.length; index++)
    need[index] = showsCode(messages[index]!.content) ? CONTEXT.writing : 1;
  for (const { topic, from } of hits) {
    const where = message[from]!;
    if (topic === known.device) need[where] = Math.min(need[where]!, CONTEXT.errand);
    else if (topic === known.writing) need[where] = Math.min(need[where]!, CONTEXT.writing);
    else if (topic === known.trivia && !asks[where]) need[where] = Math.min(need[where]!, CONTEXT.trivia);
    else if (topic === known.telling && !asks[where]) need[where] = Math.min(need[where]!, CONTEXT.telling);
  }
  if (need.every((one) => one === 1)) return undefined;
  const byToken = scratch.floats(message.length);
  for (let token = 0; token < byToken.length; token++) byToken[token] = need[message[token]!]!;
  for (const { topic, from, to } of hits) if (topic === known.writing) byToken.fill(1, from, to + 1);
  return byToken;
}

/** Words inside a phrase that is no product do not speak for keywords either: "I am a hair stylist". */
export function hide(force: Float32Array, hits: Hit[], { covers, intents }: Lexicon): void {
  for (const { topic, from, to, gaps } of hits)
    if (covers[topic] && !intents[topic] && to > from && !gaps) force.fill(0, from, to + 1);
}
