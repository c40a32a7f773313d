import { add } from './columns.ts';
import { phraseStrength } from './evidence.ts';
import type { ParsedConversation } from './parsed.ts';
import { CONTEXT_WEIGHTS } from './weights.ts';

/**
 * By topic, how much of an interest it is where nobody asks for anything: the logarithm of the number of messages, of either side,
 * that speak of it or of a part of it. What two people keep coming back to is more than mentioned.
 */
export function topicInterest({ hits, tokens, lexicon, pool }: ParsedConversation): Float32Array {
  const { topics, isInternal, ancestors } = lexicon;
  const interest = pool.float32(topics.length);
  const counted = new Set<number>();
  /** Counts a message for a topic; false when it was counted before, and so was it for those above. */
  const count = (topic: number, message: number): boolean => {
    const pair = message * topics.length + topic;
    if (counted.has(pair)) return false;
    counted.add(pair);
    add(interest, topic, 1);
    return true;
  };
  for (const hit of hits) {
    if (isInternal[hit.topic] || phraseStrength(hit) < CONTEXT_WEIGHTS.clearPhrase) continue;
    const message = tokens.message(hit.from);
    if (!count(hit.topic, message)) continue;
    for (const ancestor of ancestors[hit.topic] ?? []) if (!count(ancestor, message)) break;
  }
  for (let topic = 0; topic < interest.length; topic++) {
    const messages = interest[topic] ?? 0;
    if (messages > 0) interest[topic] = Math.log(messages);
  }
  return interest;
}
