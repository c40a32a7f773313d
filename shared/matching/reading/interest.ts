import type { Lexicon } from '../lexicon/lexicon.ts';
import type { Hit } from '../lexicon/phrases.ts';
import type { Scratch } from './array-pool.ts';
import type { Tokens } from './conversation.ts';
import { strength } from './evidence.ts';
import { CONTEXT } from './weights.ts';

/**
 * By topic, how much of an interest it is where nobody asks for anything: the logarithm of the number of messages, of either
 * side, that speak of it or of a part of it. What two people keep coming back to is more than mentioned.
 */
export function interests(
  hits: readonly Hit[],
  { message }: Tokens,
  { own, parents, topics }: Lexicon,
  scratch: Scratch,
): Float32Array {
  const interest = scratch.floats(topics.length);
  const counted = new Set<number>();
  for (const hit of hits) {
    if (own[hit.topic] || strength(hit) < CONTEXT.clear) continue;
    for (let topic = hit.topic; topic >= 0; topic = parents[topic]!) {
      const here = message[hit.from]! * topics.length + topic;
      if (counted.has(here)) break;
      counted.add(here);
      interest[topic]!++;
    }
  }
  for (let topic = 0; topic < interest.length; topic++)
    if (interest[topic]! > 0) interest[topic] = Math.log(interest[topic]!);
  return interest;
}
