import type { SpendStats } from '../../campaigns/spend-stats.ts';

/** Assumed click rate and conversion rate of a campaign without history. */
export const USUAL_CLICK_RATE = 0.01;
const USUAL_CONVERSION_RATE = 0.02;
/** Weight of the assumed rates, in impressions and clicks, against the campaign's own history. */
const PRIOR_IMPRESSIONS = 500;
const PRIOR_CLICKS = 50;
/** Average relevance of past impressions. */
const TYPICAL_RELEVANCE = 0.7;

/**
 * Estimates a rate from `successes` in `trials`, pulled towards the usual rate: the posterior mean of a binomial rate under a beta
 * prior that is worth `weight` trials (Gelman et al., Bayesian Data Analysis, section 2.4).
 */
const estimateRate = (successes: number, trials: number, usual: number, weight: number): number =>
  (successes + usual * weight) / (trials + weight);

/**
 * Estimates the click probability of an impression: the campaign's click rate in proportion to relevance. Counts only clicks on charged
 * ads; otherwise, free clicks could raise a campaign's bids.
 */
export const estimateClickRate = ({ chargedClicks, impressions }: SpendStats, relevance: number): number =>
  Math.min(
    1,
    (estimateRate(chargedClicks, impressions, USUAL_CLICK_RATE, PRIOR_IMPRESSIONS) * relevance) / TYPICAL_RELEVANCE,
  );

/** Estimates the conversion probability of a click. Counts only charged clicks and their conversions; free ones could change the bids. */
export const estimateConversionRate = ({ chargedConversions, chargedClicks }: SpendStats): number =>
  Math.min(1, estimateRate(chargedConversions, chargedClicks, USUAL_CONVERSION_RATE, PRIOR_CLICKS));
