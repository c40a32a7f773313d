import type { Lexicon } from './lexicon.ts';
import type { Reading } from './reading.ts';
import { RELEVANCE } from './weights.ts';

/** Figures of the conversation as a whole, by name; RELEVANCE.climate holds a coefficient for each. */
export function climateFigures(
  { evidence, strongest, smallTalk, userWords }: Reading,
  { known }: Lexicon,
): Record<string, number> {
  const against = (topic: number) => evidence[topic]! / (evidence[topic]! + strongest + 0.25);
  const presence = (topic: number) => 1 - Math.exp(-evidence[topic]!);
  return {
    smallTalk: Math.min(1, smallTalk),
    acquaintance: presence(known.acquaintance),
    device: against(known.device),
    weather: against(known.weather),
    trivia: against(known.trivia),
    task: against(known.task),
    buy: presence(known.buy),
    seek: presence(known.seek),
    manage: presence(known.manage),
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

type Figures = [evidence: number, share: number, cover: number, asked: number];

/** Figures of one topic for a campaign that has `affinity` (0..1) to it; each grows with the affinity. */
export function topicFigures({ evidence, cover, asked, strongest }: Reading, topic: number, affinity: number): Figures {
  const own = affinity * evidence[topic]!;
  return [Math.log(1 + 20 * own), (own / strongest) ** 2, affinity * cover[topic]!, affinity * asked[topic]!];
}

/** What a topic adds to the log-odds of a campaign that has this affinity to it; 0 when nothing speaks for it. */
export function topicScore(reading: Reading, topic: number, affinity: number): number {
  if (reading.evidence[topic] === 0) return 0;
  const [evidence, share, cover, asked] = topicFigures(reading, topic, affinity);
  const { topic: weights } = RELEVANCE;
  return weights[0] * evidence + weights[1] * share + weights[2] * cover + weights[3] * asked;
}

/** The estimated chance, 0..1, that the ad is right. Grows with the topic's score and the evidence by keywords. */
export function relevance(score: number, literal: number, climate: number): number {
  return 1 / (1 + Math.exp(-(climate + score + RELEVANCE.literal * literal)));
}
