/**
 * The relevance model: a logistic regression over figures that a person can check, no weight for a single word. The numbers are what
 * `npm run fit` gives for judged conversations of public sources; docs/matching.md says how each source fares when it is left out.
 */
export const RELEVANCE_MODEL = {
  intercept: -2.77,
  /** Of the conversation as a whole, and of what the user said last: whether an ad is wanted here at all. */
  context: {
    seeks: 0.3,
    manages: 0.12,
    deviceCommand: -0.56,
    trivia: -0.66,
    task: -0.55,
    telling: -0.35,
    smallTalk: 0.25,
    strongest: 0.81,
    userWords: 0.11,
    latestWords: -0.1,
    explained: -0.69,
    unexplained: -0.32,
    request: 0.09,
    question: -0.54,
    length: -0.23,
    foreign: 1.48,
    wishes: 0.21,
    chore: -0.61,
  },
  /**
   * Of a topic: the logarithm of its evidence, its share of the strongest evidence squared, its coverage, whether it was asked for and
   * its interest. None negative: score bounds rely on it.
   */
  topic: { evidence: 0.21, share: 0.5, coverage: 1.1, requested: 0.44, interest: 1.13 },
  /** Of the evidence of a campaign's own keywords. */
  keywords: 0.12,
  /** Of how strongly the newest message names one of the campaign's topics; not negative. */
  latest: 0.61,
  /** Of how like the campaign's words are to the conversation's; not negative. */
  likeness: 1.44,
  /** Where a keyword of it stands in the newest message, and that one wishes for something; not negative. */
  asked: 0.14,
  /**
   * How much more, or less, readily an ad is shown than the model's chance says, in log-odds: a single question is a worse place than a
   * conversation that has gone on, and few ads are for other languages than English; `asked` where one of its keywords was asked for.
   */
  leniency: { statement: -0.6, wish: -0.1, severalTurns: 0.42, foreign: 0.61, asked: 0.4 },
  /** Least relevance that may bid. */
  threshold: 0.6,
  /** Least relevance beside that of the most relevant ad, as a share of it. */
  relativeThreshold: 0.96,
};
