import type { ParsedConversation } from './parsed.ts';
import { NEVER } from './turns.ts';
import { CONTEXT_WEIGHTS } from './weights.ts';

/**
 * By token, how much it counts, 0..1: by who said it, and how many turns it lies before the newest one that brings a topic up; what
 * is negated counts for nothing.
 */
export function tokenWeightsOf(
  { messages, tokens, pool }: ParsedConversation,
  turns: Int32Array,
  newestTurn: number,
  isNegated: Uint8Array,
): Float32Array {
  const byMessage = messages.map(({ role }, message) => {
    const ago = turns[message] ?? 0;
    const age = newestTurn === NEVER ? ago : Math.max(0, ago - newestTurn);
    const decay = Math.max(CONTEXT_WEIGHTS.leastDecay, CONTEXT_WEIGHTS.decayPerTurn ** age);
    return (role === 'user' ? 1 : CONTEXT_WEIGHTS.assistant) * decay;
  });
  const weights = pool.float32(tokens.length);
  for (let token = 0; token < weights.length; token++)
    weights[token] = isNegated[token] ? 0 : (byMessage[tokens.message(token)] ?? 0);
  return weights;
}
