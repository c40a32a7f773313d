import type { Tokens } from './conversation.ts';
import { strength } from './evidence.ts';
import type { Lexicon } from './lexicon.ts';
import { type Hit, place } from './phrases.ts';
import { CONTEXT } from './weights.ts';

/**
 * By topic, how much of an interest it is where nobody asks for anything: the logarithm of the number of messages, of either
 * side, that speak of it or of a part of it. What two people keep coming back to is more than mentioned.
 */
export function interests(hits: readonly Hit[], { message }: Tokens, { own, parents, topics }: Lexicon): Float32Array {
  const messages = new Uint16Array(topics.length);
  const counted = new Set<number>();
  for (const hit of hits) {
    if (own[hit.topic] || strength(hit) < CONTEXT.clear) continue;
    for (let topic = hit.topic; topic >= 0; topic = parents[topic]!) {
      const here = place(topic, message[hit.from]!);
      if (counted.has(here)) break;
      counted.add(here);
      messages[topic] = messages[topic]! + 1;
    }
  }
  return Float32Array.from(messages, (count) => (count > 1 ? Math.log(count) : 0));
}
