import type { CampaignExample, RowExamples } from './examples.ts';
import { conditionalLogistic, dot, logisticRegression, type TrainingExample } from './regression.ts';
import { FIRST_OF_CAMPAIGN, type Weights } from './weights.ts';

/** Penalty on the weights that choose among campaigns, and on those that judge the chosen one, of figures of unit variance. */
const RANK_RIDGE = 1;
const JUDGE_RIDGE = 300;

/**
 * The weights of relevance, in two steps: first those by which the right campaign is told from all that share anything with a
 * conversation; then those by which the one that they choose is right or not. Only the latter are kept: they rank as well, and say how
 * likely an ad is right that would be shown. The first come in as a figure of their own, so that a penalty on many weights leaves their
 * proportions be.
 */
export function fitWeights(seen: readonly RowExamples[]): Weights {
  const ranking = campaignWeights(
    conditionalLogistic(
      seen.map(({ examples }) => examples),
      RANK_RIDGE,
    ),
  );
  const chosen = chooseBest(seen, ranking);
  const judged = chosen.map((example) => ({
    ...example,
    figures: [...example.figures, dot(ranking, example.figures)],
  }));
  const scales = getDeviations(judged);
  const scaled = judged.map((example) => ({
    ...example,
    figures: example.figures.map((value, i) => value / scales[i]!),
  }));
  const found = logisticRegression(scaled, JUDGE_RIDGE).map((weight, i) => weight / scales[i]!);
  const share = found.pop() ?? 0;
  return campaignWeights(
    found.map((weight, i) => weight + (i < FIRST_OF_CAMPAIGN ? 0 : share * ranking[i]!)),
    found,
  );
}

/** Weights of which those of a campaign are not negative, and the others those of `conversation`. */
const campaignWeights = (weights: readonly number[], conversation: readonly number[] = []): number[] =>
  weights.map((weight, i) => (i < FIRST_OF_CAMPAIGN ? (conversation[i] ?? 0) : Math.max(0, weight)));

/** Of each conversation, the campaign that these weights think most likely to be right. */
const chooseBest = (seen: readonly RowExamples[], weights: Weights): CampaignExample[] =>
  seen.flatMap(({ examples }) => {
    let best: CampaignExample | undefined;
    let most = Number.NEGATIVE_INFINITY;
    for (const example of examples) {
      const score = dot(weights, example.figures);
      if (score <= most) continue;
      best = example;
      most = score;
    }
    return best ? [best] : [];
  });

/** By figure, its standard deviation; 1 for one that never varies. */
function getDeviations(examples: readonly TrainingExample[]): number[] {
  const size = examples[0]?.figures.length ?? 0;
  return Array.from({ length: size }, (_, i) => {
    let sum = 0;
    let squares = 0;
    for (const { figures } of examples) {
      sum += figures[i]!;
      squares += figures[i]! ** 2;
    }
    const mean = sum / examples.length;
    return Math.sqrt(Math.max(0, squares / examples.length - mean ** 2)) || 1;
  });
}
