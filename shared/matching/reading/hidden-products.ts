import type { Lexicon } from '../lexicon/lexicon.ts';
import type { PhraseHit } from '../lexicon/phrases.ts';
import type { ArrayPool } from './array-pool.ts';
import type { Tokens } from './tokens.ts';

/** Drops products named inside a longer phrase that is none: "vacation days", "is it going to rain", "what pets do you have". */
export function withoutHiddenProducts(
  hits: PhraseHit[],
  tokens: Tokens,
  lexicon: Lexicon,
  pool: ArrayPool,
): PhraseHit[] {
  /** By token, the last token of the longest such phrase that began before it, and of the longest that begins with it. */
  const endOfEarlier = pool.int32(tokens.length).fill(-1);
  const endOfOwn = pool.int32(tokens.length).fill(-1);
  for (const { topic, from, to, hasGaps } of hits) {
    if (!lexicon.hidesProducts[topic] || (hasGaps && lexicon.isIntent[topic])) continue;
    endOfOwn[from] = Math.max(endOfOwn[from] ?? -1, to);
    for (let token = from + 1; token <= to; token++) endOfEarlier[token] = Math.max(endOfEarlier[token] ?? -1, to);
  }
  const isHidden = ({ from, to }: PhraseHit) => (endOfEarlier[from] ?? -1) >= to || (endOfOwn[from] ?? -1) >= to;
  return hits.filter((hit) => lexicon.isInternal[hit.topic] || !isHidden(hit));
}
