import type { CampaignExample, RowExamples } from './examples.ts';
import { conditionalLogistic, dot, logisticRegression, type TrainingExample } from './regression.ts';
import { FIRST_OF_CAMPAIGN, type Weights } from './weights.ts';

/** L2 penalties of the ranking weights and of the final weights, for features with unit variance. */
const RANK_RIDGE = 1;
const JUDGE_RIDGE = 150;

/**
 * Fits the weights of relevance in two steps. Ranking weights distinguish the right campaign from all others that match a conversation.
 * Final weights then predict whether the chosen campaign is right. Only these are returned: they rank too, and give the probability that
 * an ad is right. The ranking score is one of their features, so that the penalty preserves the proportions of the ranking weights.
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

/** Combines campaign weights, raised to at least 0, with the conversation weights of `conversation`. */
const campaignWeights = (weights: readonly number[], conversation: readonly number[] = []): number[] =>
  weights.map((weight, i) => (i < FIRST_OF_CAMPAIGN ? (conversation[i] ?? 0) : Math.max(0, weight)));

/** The campaign with the highest score for each conversation. */
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

/** The standard deviation of each feature; 1 for a constant one. */
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
