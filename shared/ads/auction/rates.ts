import type { SpendStats } from '../../campaigns/spend-stats.ts';

/** The usual click rate of an impression and conversion rate of a click: what a campaign without history is taken for. */
export const USUAL_CLICK_RATE = 0.01;
const USUAL_CONVERSION_RATE = 0.02;
/** How many impressions, and clicks, of the usual rate a campaign's own history has to outweigh. */
const PRIOR_IMPRESSIONS = 500;
const PRIOR_CLICKS = 50;
/** The relevance of the impressions that a history speaks of, on the whole. */
const TYPICAL_RELEVANCE = 0.7;

/**
 * A rate seen `successes` times in `trials`, held towards the usual one: the posterior mean of a binomial rate under a beta
 * prior that is worth `weight` trials (Gelman et al., Bayesian Data Analysis, section 2.4).
 */
const estimateRate = (successes: number, trials: number, usual: number, weight: number): number =>
  (successes + usual * weight) / (trials + weight);

/**
 * The chance that an impression of this relevance is clicked: the campaign's own rate, in proportion to relevance. Clicks on ads that
 * were never charged are none of it: they could raise a campaign's bids for nothing.
 */
export const estimateClickRate = ({ chargedClicks, impressions }: SpendStats, relevance: number): number =>
  Math.min(
    1,
    (estimateRate(chargedClicks, impressions, USUAL_CLICK_RATE, PRIOR_IMPRESSIONS) * relevance) / TYPICAL_RELEVANCE,
  );

/** The chance that a click converts. Clicks without a charge are none of it, nor are their conversions: either could move bids for nothing. */
export const estimateConversionRate = ({ chargedConversions, chargedClicks }: SpendStats): number =>
  Math.min(1, estimateRate(chargedConversions, chargedClicks, USUAL_CONVERSION_RATE, PRIOR_CLICKS));
