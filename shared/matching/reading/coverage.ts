import { type Lexicon, WORDS } from '../lexicon/lexicon.ts';
import type { Hit } from '../lexicon/phrases.ts';
import type { Scratch } from './array-pool.ts';
import type { Tokens } from './conversation.ts';
import { CONTEXT } from './weights.ts';

/** Content of a word that is part of asking for something. */
const ASKING = 0.02;

/**
 * By token, the share of its message's content that it is. What is denied or part of asking is no content; nor is what the
 * assistant says.
 */
export function parts(
  hits: Hit[],
  { entries, message }: Tokens,
  byUser: Uint8Array,
  flags: Uint8Array,
  lexicon: Lexicon,
  scratch: Scratch,
): Float32Array {
  const part = scratch.floats(entries.length);
  for (let token = 0; token < part.length; token++)
    if (byUser[token] && !flags[token]) part[token] = entries[token]!.rarity;
  for (const { topic, from, to } of hits) if (lexicon.intents[topic] && byUser[from]) part.fill(ASKING, from, to + 1);
  const total = scratch.floats((message.at(-1) ?? 0) + 1).fill(CONTEXT.slack);
  for (let token = 0; token < part.length; token++) total[message[token]!] = total[message[token]!]! + part[token]!;
  for (let token = 0; token < part.length; token++) part[token] = part[token]! / total[message[token]!]!;
  return part;
}

/** By topic, the largest share of a message's content that its phrases are, from hits in order of topic and end. */
export function coverage(
  hits: Hit[],
  part: Float32Array,
  { message }: Tokens,
  lexicon: Lexicon,
  scratch: Scratch,
): Float32Array {
  const cover = scratch.floats(lexicon.topics.length);
  let share = 0;
  let counted = -1;
  for (let i = 0; i < hits.length; i++) {
    const { topic, from, to } = hits[i]!;
    const last = hits[i - 1];
    if (last?.topic !== topic) counted = -1;
    if (last?.topic !== topic || message[last.to] !== message[to]) share = 0;
    for (let token = Math.max(from, counted + 1); token <= to; token++) share += part[token]!;
    counted = to;
    cover[topic] = Math.max(cover[topic]!, share);
  }
  return cover;
}

/** The share of the user's words that are small talk, 0..1; 1 when the user said nothing. */
export function smallTalk(
  hits: Hit[],
  byUser: Uint8Array,
  userWords: number,
  lexicon: Lexicon,
  scratch: Scratch,
): number {
  const covered = scratch.bytes(byUser.length);
  for (const { topic, kind, from, to } of hits)
    if (topic === lexicon.known.smallTalk && kind !== WORDS && byUser[from]) covered.fill(1, from, to + 1);
  return userWords === 0 ? 1 : tally(covered) / userWords;
}

/** How many of the flags are set. A loop, because `reduce` makes a call for every word. */
export function tally(flags: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < flags.length; i++) sum += flags[i]!;
  return sum;
}
