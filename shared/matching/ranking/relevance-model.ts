import weights from './relevance-weights.json' with { type: 'json' };

/** How sure a publisher wants to be that an ad fits, strictest first. */
export type AdStrictness = 'strict' | 'balanced' | 'open';

/**
 * The relevance model: a logistic regression over features that a person can check, without weights for single words. `npm run train -- fit`
 * learns `relevance-weights.json` from judged conversations of public sources. docs/matching.md reports the result for each held-out source.
 *
 * `context`: whether an ad is wanted at all, from the whole conversation and the latest message. `topic`: the logarithm of a topic's
 * evidence, the square of its share of the strongest evidence, its coverage, whether it was requested, and its interest. `keywords`: the
 * evidence of a campaign's own keywords. `latest`: how strongly the latest message names one of the campaign's topics. `likeness`: the
 * similarity of the campaign's words to the conversation's. `asked`: whether the latest message contains one of the campaign's keywords and
 * a wish. `need`: see `scoreNeed`. `thresholds`: the minimum relevance of a bid, by the left-out results and by what a wrong ad costs: twice
 * what a right one is worth (`strict`), as much (`balanced`), or half as much (`open`), where 70, 50, and 50 % of conversations want none.
 * Only `intercept` and `context` may be negative, because score bounds rely on it.
 */
export const RELEVANCE_MODEL = {
  ...weights,
  /**
   * Subtracted from the log-odds if the user wants something done with what they have (where is my order, cancel my
   * booking), or tells a story. The judged sets have too few such messages to learn the whole of it: left out, it halves the ads after
   * pleas about an order and costs 0.5 points of F1 on one set.
   */
  chorePenalty: 2.5,
  /**
   * Added to the log-odds if the user wants to get something and a keyword or topic of the campaign names it. The judged
   * sets neither gain nor lose by it; conversations of newcomers with one keyword do gain.
   */
  bought: 1.55,
  /** Minimum relevance of a bid as a share of the most relevant bid's. */
  relativeThreshold: 0.98,
};
