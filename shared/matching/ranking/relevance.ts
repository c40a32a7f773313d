import type { Lexicon } from '../lexicon/lexicon.ts';
import type { Reading } from '../reading/reading.ts';
import { RELEVANCE } from '../reading/weights.ts';
import type { Literal } from './keywords.ts';

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

/**
 * Adds up the figures of a topic or of keywords, each with its weight. Figures come as arguments, not as a list, because a match
 * adds up hundreds.
 */
function score(evidence: number, share: number, cover: number, asked: number, interest: number): number {
  const { topic } = RELEVANCE;
  return (
    topic[0] * Math.log(1 + STEEP * evidence) +
    topic[1] * share ** 2 +
    topic[2] * cover +
    topic[3] * asked +
    topic[4] * interest
  );
}

/**
 * What a topic adds to the log-odds of a campaign that has this affinity (0..1) to it; 0 when nothing speaks for it. Grows with the
 * affinity.
 */
export function topicScore(reading: Reading, topic: number, affinity: number): number {
  const { evidence, cover, asked, interest, strongest } = reading;
  if (evidence[topic] === 0) return 0;
  const own = affinity * evidence[topic]!;
  return score(own, own / strongest, affinity * cover[topic]!, affinity * asked[topic]!, affinity * interest[topic]!);
}

/** A campaign's own keywords, read as a topic of its own: they may be what no lexicon knows. */
export function literalScore({ evidence, cover, asked }: Literal, { strongest }: Reading): number {
  return score(evidence, evidence / Math.max(evidence, strongest, RIVAL), cover, asked, 0);
}

/**
 * The log-odds that the ad is right, before they are held against what came true: by the score of its best topic or of its
 * keywords, whichever is more, and some more for the keywords. Never fall when either grows.
 */
export function logOdds(topic: number, literal: Literal, reading: Reading, climate: number): number {
  const best = literal.evidence === 0 ? topic : Math.max(topic, literalScore(literal, reading));
  return climate + best + RELEVANCE.literal * literal.evidence;
}

/**
 * The estimated chance, 0..1, that the ad is right. What the regression claims is bent to what came true (beta calibration: M.
 * Kull, T. Silva Filho, P. Flach, AISTATS 2017); it grows with the log-odds.
 */
export function relevance(logOdds: number): number {
  const { shift, low, high } = RELEVANCE.claim;
  const unlikely = Math.log1p(Math.exp(-logOdds));
  return 1 / (1 + Math.exp(-(shift - low * unlikely + high * (logOdds + unlikely))));
}
