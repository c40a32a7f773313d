/**
 * The relevance model: a logistic regression over figures that a person can check, no weight for a single word. The numbers are what
 * `npm run train -- fit` gives for judged conversations of public sources; docs/matching.md says how each source fares when it is left out.
 */
export const RELEVANCE_MODEL = {
  intercept: -3.06,
  /** Of the conversation as a whole, and of what the user said last: whether an ad is wanted here at all. */
  context: {
    seeks: 0.32,
    manages: 0.11,
    deviceCommand: -0.38,
    trivia: -0.53,
    task: -0.44,
    statement: -0.24,
    smallTalk: 0.13,
    strongest: 0.79,
    userWords: 0.15,
    latestWords: -0.08,
    explained: -0.79,
    unexplained: -0.3,
    request: -0.02,
    question: -0.57,
    length: -0.24,
    foreign: 1.66,
    wishes: 0.52,
    chore: -0.63,
  },
  /**
   * Of a topic: the logarithm of its evidence, its share of the strongest evidence squared, its coverage, whether it was asked for and
   * its interest. None negative: score bounds rely on it.
   */
  topic: { evidence: 0.2, share: 0.53, coverage: 1.16, requested: 0.34, interest: 1.12 },
  /** Of the evidence of a campaign's own keywords. */
  keywords: 0.01,
  /** Of how strongly the newest message names one of the campaign's topics; not negative. */
  latest: 0.6,
  /** Of how like the campaign's words are to the conversation's; not negative. */
  likeness: 1.55,
  /** Where a keyword of it stands in the newest message, and that one wishes for something; not negative. */
  asked: 0.34,
  /**
   * How much more, or less, readily an ad is shown than the model's chance says, in log-odds: a single question is a worse place than a
   * conversation that has gone on (`answer` where it goes on with no wish, `aside` where with what no ad answers, such as a fact), what is
   * to be done to something one has is none, and few ads are for other languages than English. `said` where one of an ad's keywords stands
   * in all that was said, `saidPlainly` where nothing speaks against its being wanted, `asked` where it is wished for too, `bought` where
   * what somebody wants to get is named by one, or by a topic; `otherGuess` for an ad in a language that is neither English nor what the
   * conversation's is guessed to be.
   */
  leniency: {
    statement: -0.85,
    wish: -0.2,
    answer: 0.75,
    aside: 0,
    severalTurns: 0.55,
    foreign: 0.61,
    foreignStatement: -1.6,
    chore: -2.5,
    asked: 0.8,
    said: 0.45,
    saidPlainly: 0.3,
    bought: 1.55,
    otherGuess: -0.5,
  },
  /** Least relevance that may bid. */
  threshold: 0.6,
  /** Least relevance beside the most relevant ad, as a share of its own. */
  relativeThreshold: 0.98,
};
