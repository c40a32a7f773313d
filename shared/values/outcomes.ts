import { keysOf } from './typed.ts';

/** Whose business an outcome is: who can do something about it. */
type Whose = 'conversation' | 'campaign' | 'publisher' | 'auction' | 'operator';

interface OutcomeRow {
  whose: Whose;
  /** One sentence that says what it means, and where somebody can act on it, how. */
  means: string;
}

/**
 * How a campaign can fare in an auction, and why an auction can have no winner: every code there is. Metrics, X-Debug, the serving
 * reasons of a campaign, the page, the API's description, the dashboard and docs/why-no-ad.md are made from this table.
 */
export const OUTCOMES = {
  won: { whose: 'auction', means: 'Its bid × relevance was the highest.' },
  lower_rank: {
    whose: 'auction',
    means: "Another campaign's bid × relevance was higher, or it was the turn of an equal.",
  },
  outranked: { whose: 'auction', means: 'A campaign that fits clearly better bids here, so this one stood back.' },

  sensitive_context: { whose: 'conversation', means: 'The conversation is sensitive: no ad, whatever matches.' },
  no_user_message: { whose: 'conversation', means: 'No message of the user has a word in it.' },
  no_commercial_context: { whose: 'conversation', means: 'Nothing commercial is being talked about.' },
  no_match: { whose: 'conversation', means: 'No running campaign is about what is being talked about.' },
  below_threshold: { whose: 'conversation', means: 'What fits, fits too little to be worth an interruption.' },
  judge: { whose: 'conversation', means: 'The second opinion is that it would not be welcome now.' },

  draft: { whose: 'campaign', means: 'It is a draft: set status to active.' },
  paused: { whose: 'campaign', means: 'Its advertiser has paused it: set status to active.' },
  completed: { whose: 'campaign', means: 'It is completed: set status to active to run it again.' },
  cancelled: { whose: 'campaign', means: 'It is cancelled: set status to active to run it again.' },
  not_started: { whose: 'campaign', means: 'Its startDate is still to come.' },
  ended: { whose: 'campaign', means: 'Its endDate has passed: set a later one, and status to active.' },
  creative_review: {
    whose: 'campaign',
    means:
      'Its creative has a passage that speaks to a model instead of a person, or leads elsewhere: serving names it.',
  },
  incomplete: { whose: 'campaign', means: 'It lacks something that it needs to serve; field names it.' },
  budget: { whose: 'campaign', means: 'Its budget is spent, or it has none: raise budget.' },
  daily_budget: { whose: 'campaign', means: 'Its budget of this UTC day is spent, or it has none: raise dailyBudget.' },
  pacing: { whose: 'campaign', means: 'It is ahead of its plan and saves its budget for later today.' },
  country: { whose: 'campaign', means: 'It is for other countries, or the country is not known.' },
  language: {
    whose: 'campaign',
    means:
      'It is in another language than the conversation, or in none that the request takes: set targetAudience.languages if its texts do not tell its own.',
  },
  format: { whose: 'campaign', means: 'It has no ad of the format that was asked for.' },
  frequency_cap: {
    whose: 'campaign',
    means:
      "The conversation has had it as often as its frequencyCap allows, or as many ads as the key's adsPerConversation; or it has another impression of the same request.",
  },
  excluded_keyword: { whose: 'campaign', means: 'One of its excludedKeywords was said.' },

  blocked: {
    whose: 'publisher',
    means:
      'The publisher excludes its category or its domain, takes bids of seats or deals alone, or is another seller than the key names.',
  },
  coppa: { whose: 'publisher', means: 'The request says that it is about a child: no ad.' },
  currency: { whose: 'publisher', means: 'The floor, or every currency that is taken, is another than USD.' },
  asset: {
    whose: 'publisher',
    means: 'It lacks a part that the native request requires, or has one that is too long.',
  },
  turn_spacing: {
    whose: 'publisher',
    means: "The last ad of the conversation is nearer than the key's turnSpacing, counted in user turns.",
  },
  below_floor: { whose: 'publisher', means: "Its bid is below the publisher's floor, or rounds down to nothing." },

  late: { whose: 'operator', means: 'The time for an answer was over.' },
  catalog_stale: {
    whose: 'operator',
    means: 'The campaigns were not known yet, or not as they have been of late: the store has not answered. Ask again.',
  },
} as const satisfies Record<string, OutcomeRow>;

export type Outcome = keyof typeof OUTCOMES;

/** Why an auction can have no winner: not by an outcome of the auction itself, since in those somebody bids. */
export type NoBidReason = { [O in Outcome]: (typeof OUTCOMES)[O]['whose'] extends 'auction' ? never : O }[Outcome];

export const outcomes = keysOf(OUTCOMES);
export const isNoBidReason = (outcome: Outcome): outcome is NoBidReason => OUTCOMES[outcome].whose !== 'auction';
export const noBidReasons: readonly NoBidReason[] = outcomes.filter(isNoBidReason);
