/**
 * The relevance model: a logistic regression over features that a person can check, without a weight for any single
 * word. `npm run train -- fit` learns the weights from judged conversations of public sources. docs/matching.md reports
 * the result for each source when it is left out.
 */
export const RELEVANCE_MODEL = {
  intercept: -3.06,
  /** Of the whole conversation and of the latest message: whether an ad is wanted at all. */
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
   * Of a topic: the logarithm of its evidence, the square of its share of the strongest evidence, its coverage, whether
   * it was requested, and its interest. Must not be negative, because score bounds rely on it.
   */
  topic: { evidence: 0.2, share: 0.53, coverage: 1.16, requested: 0.34, interest: 1.12 },
  /** Of the evidence of a campaign's own keywords. */
  keywords: 0.01,
  /** Of how strongly the latest message names one of the campaign's topics; not negative. */
  latest: 0.6,
  /** Of the likeness of the campaign's words to the conversation's; not negative. */
  likeness: 1.55,
  /** If the latest message says one of its keywords and contains a wish; not negative. */
  asked: 0.34,
  /**
   * Corrections of the log-odds, chosen by hand. A single question is a worse place for an ad than a conversation that
   * goes on (`answer`: without a wish; `aside`: with something that no ad answers, such as a fact). Chores are the
   * worst. Few ads are in other languages than English.
   * `said`: the latest message says one of the ad's keywords and opens the conversation. `saidPlainly`: in addition,
   * nothing speaks against a wish. `asked`: it contains a wish. `bought`: it wants to get something that a keyword or
   * topic of the ad names. `otherGuess`: the ad is neither in English nor in the guessed language of the conversation.
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
  /** Minimum relevance of a bid. */
  threshold: 0.6,
  /** Minimum relevance of a bid as a share of the most relevant bid's. */
  relativeThreshold: 0.98,
};
