/**
 * The relevance model: a logistic regression over figures that a person can check, no weight for a single word. The numbers are what
 * `npm run fit` gives for judged conversations of public sources; docs/matching.md says how each source fares when it is left out.
 */
export const RELEVANCE_MODEL = {
  intercept: -2.92,
  /** Of the conversation as a whole, and of what the user said last: whether an ad is wanted here at all. */
  context: {
    seeks: 0.33,
    manages: 0.11,
    deviceCommand: -0.48,
    trivia: -0.59,
    task: -0.4,
    telling: -0.33,
    smallTalk: 0.21,
    strongest: 0.81,
    userWords: 0.12,
    latestWords: -0.09,
    explained: -0.72,
    unexplained: -0.32,
    request: 0.04,
    question: -0.56,
    length: -0.22,
    foreign: 1.44,
    wishes: 0.38,
    chore: -0.5,
  },
  /**
   * Of a topic: the logarithm of its evidence, its share of the strongest evidence squared, its coverage, whether it was asked for and
   * its interest. None negative: score bounds rely on it.
   */
  topic: { evidence: 0.21, share: 0.51, coverage: 1.17, requested: 0.38, interest: 1.12 },
  /** Of the evidence of a campaign's own keywords. */
  keywords: 0.07,
  /** Of how strongly the newest message names one of the campaign's topics; not negative. */
  latest: 0.58,
  /** Of how like the campaign's words are to the conversation's; not negative. */
  likeness: 1.43,
  /** Where a keyword of it stands in the newest message, and that one wishes for something; not negative. */
  asked: 0.2,
  /**
   * How much more, or less, readily an ad is shown than the model's chance says, in log-odds: a single question is a worse place than a
   * conversation that has gone on (`answer` where it goes on with no wish), what is to be done to something one has is none, and few ads
   * are for other languages than English. `asked` where one of an ad's keywords was asked for, `bought` where what somebody wants to get
   * is named by one, or by a topic.
   */
  leniency: {
    statement: -0.65,
    wish: 0,
    answer: 0.55,
    severalTurns: 0.32,
    foreign: 0.61,
    chore: -2.5,
    asked: 0.25,
    bought: 1.4,
  },
  /** Least relevance that may bid. */
  threshold: 0.6,
  /** Least relevance beside that of the most relevant ad, as a share of it. */
  relativeThreshold: 0.98,
};
