import { decodeVector } from '../inventory/campaign-vectors.ts';
import type { MatchingProfile } from '../inventory/matching-profile.ts';
import { type Lexicon, NAMES, VECTOR_SIZE, WANT } from '../lexicon/lexicon.ts';
import { addWordVector, normalize, VECTOR_LENGTH } from '../lexicon/vectors.ts';

/** A phrase of the lexicon that belongs to a topic of a campaign. */
interface RelatedPhrase {
  /** As the lexicon spells it. */
  text: string;
  stems: readonly string[];
  /** Resemblance to the campaign, up to 1. */
  closeness: number;
}

/** A need ("blisters from running") is a weaker keyword than a product. */
const WANT_FACTOR = 0.85;
/** Longer phrases are sentences. */
const MAX_WORDS = 4;
/** Words of the most common band that may stand inside a phrase. With others, it is part of a sentence ("need a plumber", "hotel is"). */
const INNER_WORDS = new Set('for of with without on in after before from to and at by'.split(' '));
const MOST_COMMON = 0;

/**
 * Creates a function that finds the phrases of the lexicon that name a product of a campaign's topics, or a need for it, the closest first.
 * It walks the whole lexicon, which takes some milliseconds.
 *
 * @param knownStems the words that phrases may consist of
 */
export function createRelatedPhrases(lexicon: Lexicon, knownStems: ReadonlySet<string>) {
  const { graph, senses, rarities, spellings, frequencyBands } = lexicon;
  const stems = [...lexicon.vocabulary.keys()];
  const isKnown = Uint8Array.from(stems, (stem) => {
    const isUsable = frequencyBands.get(stem) !== MOST_COMMON || INNER_WORDS.has(stem);
    return knownStems.has(stem) && isUsable && !/^\d+$/.test(stem) ? 1 : 0;
  });
  const isInner = Uint8Array.from(stems, (stem) => (INNER_WORDS.has(stem) ? 1 : 0));

  return ({ t, w }: Pick<MatchingProfile, 't' | 'w'>, count: number): RelatedPhrase[] => {
    const affinities = new Float32Array(lexicon.topics.length);
    for (let i = 0; i < t.length; i += 2) affinities[t[i] ?? 0] = Math.sqrt((t[i + 1] ?? 0) / 100);
    const campaign = decodeVector(w);
    const found: { words: number[]; closeness: number }[] = [];
    const words: number[] = [];

    const getAffinity = (node: number): number => {
      let best = 0;
      for (let sense = senses.first(node); sense < senses.end(node); sense++) {
        const kind = senses.kind(sense);
        const factor = kind === NAMES ? 1 : kind === WANT ? WANT_FACTOR : 0;
        best = Math.max(best, factor * (affinities[senses.topic(sense)] ?? 0));
      }
      return best;
    };
    const visit = (node: number) => {
      const affinity = isInner[words.at(-1) ?? 0] ? 0 : getAffinity(node);
      if (affinity > 0) {
        const sum = new Float32Array(VECTOR_SIZE);
        for (const word of words) addWordVector(sum, word, rarities[word] ?? 0, lexicon);
        const vector = normalize(sum);
        const product = vector.reduce((total, value, k) => total + value * (campaign[k] ?? 0), 0);
        found.push({ words: [...words], closeness: (affinity * product) / VECTOR_LENGTH });
      }
      if (words.length === MAX_WORDS) return;
      for (let arc = graph.firstArc(node); arc < graph.firstArc(node + 1); arc++) {
        const word = graph.word(arc);
        if (!isKnown[word] || (words.length === 0 && isInner[word])) continue;
        words.push(word);
        visit(graph.target(arc));
        words.pop();
      }
    };
    if (t.length > 0) visit(0);
    return found
      .sort((one, other) => other.closeness - one.closeness)
      .slice(0, count)
      .map(({ words, closeness }) => ({
        closeness,
        text: spellings.write(words).join(' '),
        stems: words.map((word) => stems[word] ?? ''),
      }));
  };
}
