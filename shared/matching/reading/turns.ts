import { type Lexicon, WANT } from '../lexicon/lexicon.ts';
import type { Hit } from '../lexicon/phrases.ts';
import type { Scratch } from './array-pool.ts';
import type { Message, Tokens } from './conversation.ts';
import { strength } from './evidence.ts';
import { CONTEXT } from './weights.ts';

/** Turns ago of what never happened. */
export const NEVER = 1 << 20;

/** By message, how many turns of the user came after it; an assistant's words belong to the turn they answer. */
export function turnsAgo(messages: readonly Message[], scratch: Scratch): Int32Array {
  const turns = scratch.integers(messages.length);
  let after = 0;
  for (let index = messages.length - 1; index >= 0; index--) {
    turns[index] = after;
    if (messages[index]!.role === 'user') after++;
  }
  return turns;
}

export interface Openings {
  /** By topic, how many turns ago it was last opened, or NEVER. */
  opened: Int32Array;
  /** Turns since the newest opening, or NEVER. */
  newest: number;
  /** Whether any topic was asked for, not merely named. */
  asking: boolean;
  /** By message, 1 when the user asks for something in it. */
  asks: Uint8Array;
}

/**
 * By topic, how many turns ago the user last opened it: named it clearly in a message that asks for something, or said a need
 * for it. What is only named beside that is a detail ("a hotel near a cinema"); but where nobody asks, naming opens.
 */
export function openings(
  hits: Hit[],
  tokens: Tokens,
  turns: Int32Array,
  byUser: Uint8Array,
  lexicon: Lexicon,
  scratch: Scratch,
): Openings {
  const asks = scratch.bytes(turns.length);
  for (const { topic, from } of hits) if (lexicon.intents[topic] && byUser[from]) asks[tokens.message[from]!] = 1;
  const asked = scratch.integers(lexicon.topics.length).fill(NEVER);
  const named = scratch.integers(lexicon.topics.length).fill(NEVER);
  let asking = false;
  for (const hit of hits) {
    const message = tokens.message[hit.from]!;
    if (lexicon.own[hit.topic] || !byUser[hit.from] || strength(hit) < CONTEXT.clear) continue;
    named[hit.topic] = Math.min(named[hit.topic]!, turns[message]!);
    if (!asks[message] && hit.kind !== WANT) continue;
    asked[hit.topic] = Math.min(asked[hit.topic]!, turns[message]!);
    asking = true;
  }
  const opened = asking ? asked : named;
  let newest = NEVER;
  for (let topic = 0; topic < opened.length; topic++) if (opened[topic]! < newest) newest = opened[topic]!;
  return { opened, newest, asking, asks };
}
