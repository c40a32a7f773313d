import type { Lexicon } from './lexicon.ts';
import type { Literal } from './literal.ts';
import type { Reading } from './reading.ts';
import { RELEVANCE } from './weights.ts';

/** Figures of the conversation as a whole, by name; RELEVANCE.climate holds a coefficient for each. */
export function climateFigures({ evidence, userWords }: Reading, { known }: Lexicon): Record<string, number> {
  const presence = (topic: number) => 1 - Math.exp(-evidence[topic]!);
  return {
    seek: presence(known.seek),
    length: Math.log(1 + userWords),
  };
}

/** What the conversation as a whole adds to every campaign's log-odds of being right. */
export function climate(reading: Reading, lexicon: Lexicon): number {
  const figures = climateFigures(reading, lexicon);
  return Object.entries(RELEVANCE.climate).reduce(
    (sum, [name, weight]) => sum + weight * figures[name]!,
    RELEVANCE.intercept,
  );
}

/** Steepness of evidence's logarithm: a fifth of a clear word already counts as half of one. */
const STEEP = 60;
/** Keywords compete with a topic of at least this evidence. */
const RIVAL = 0.5;

type Figures = [evidence: number, share: number, cover: number, asked: number, interest: number];

/** Figures of one topic for a campaign that has `affinity` (0..1) to it; each grows with the affinity. */
export function topicFigures(reading: Reading, topic: number, affinity: number): Figures {
  const { evidence, cover, asked, interest, strongest } = reading;
  const own = affinity * evidence[topic]!;
  return [
    Math.log(1 + STEEP * own),
    (own / strongest) ** 2,
    affinity * cover[topic]!,
    affinity * asked[topic]!,
    affinity * interest[topic]!,
  ];
}

/** A campaign's own keywords, read as a topic of its own: they may be what no lexicon knows. */
export function literalFigures({ evidence, cover, asked }: Literal, { strongest }: Reading): Figures {
  return [Math.log(1 + STEEP * evidence), (evidence / Math.max(evidence, strongest, RIVAL)) ** 2, cover, asked, 0];
}

function score(figures: Figures): number {
  const { topic } = RELEVANCE;
  return (
    topic[0] * figures[0] +
    topic[1] * figures[1] +
    topic[2] * figures[2] +
    topic[3] * figures[3] +
    topic[4] * figures[4]
  );
}

/** What a topic adds to the log-odds of a campaign that has this affinity to it; 0 when nothing speaks for it. */
export function topicScore(reading: Reading, topic: number, affinity: number): number {
  return reading.evidence[topic] === 0 ? 0 : score(topicFigures(reading, topic, affinity));
}

/**
 * The estimated chance, 0..1, that the ad is right: by the score of its best topic or of its keywords, whichever is more, and
 * some more for the keywords. Never falls when either grows.
 */
export function relevance(topic: number, literal: Literal, reading: Reading, climate: number): number {
  const best = literal.evidence === 0 ? topic : Math.max(topic, score(literalFigures(literal, reading)));
  return 1 / (1 + Math.exp(-(climate + best + RELEVANCE.literal * literal.evidence)));
}
