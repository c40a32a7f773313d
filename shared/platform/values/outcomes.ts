import type { AdStrictness } from '../../matching/index.ts';
import { getKeys } from './typed.ts';

/** Who or what an outcome depends on. */
type Whose = 'conversation' | 'campaign' | 'publisher' | 'auction' | 'operator';

interface OutcomeRow {
  whose: Whose;
  /**
   * What the outcome means, and how to change it. The desk shows this text away from any field, so it must not use the API's field
   * names.
   */
  means: string;
}

/**
 * All outcome codes: how a campaign fared in an auction, and why an auction had no winner. Metrics, X-Debug, the serving reasons of a
 * campaign, the page, the API description, the dashboard, and docs/why-no-ad.md are generated from this table.
 */
export const OUTCOMES = {
  won: { whose: 'auction', means: 'Its bid × relevance was the highest.' },
  lower_rank: {
    whose: 'auction',
    means: 'Another campaign had a higher bid × relevance, or won the tie.',
  },
  outranked: { whose: 'auction', means: 'A campaign that fits clearly better bids here, so this one does not.' },

  sensitive_context: { whose: 'conversation', means: 'The conversation is sensitive, so it gets no ad.' },
  no_user_message: { whose: 'conversation', means: 'No message from the user contains a word.' },
  no_commercial_context: { whose: 'conversation', means: 'Nothing commercial is being discussed.' },
  no_match: { whose: 'conversation', means: 'No running campaign matches what is being discussed.' },
  below_threshold: { whose: 'conversation', means: 'The best match is too weak to be worth an interruption.' },
  judge: { whose: 'conversation', means: 'The second opinion is that an ad would not be welcome now.' },

  draft: { whose: 'campaign', means: 'The campaign is a draft. Activate it to start serving.' },
  paused: { whose: 'campaign', means: 'The advertiser has paused the campaign. Activate it to resume.' },
  completed: { whose: 'campaign', means: 'The campaign is completed. Activate it to run it again.' },
  cancelled: { whose: 'campaign', means: 'The campaign is canceled. Activate it to run it again.' },
  not_started: { whose: 'campaign', means: 'The start date has not come yet.' },
  ended: { whose: 'campaign', means: 'The end date has passed. Choose a later one and activate the campaign.' },
  creative_review: {
    whose: 'campaign',
    means:
      'A passage of the ad addresses a model instead of a person, or leads to another site. The owner of the campaign sees which.',
  },
  incomplete: { whose: 'campaign', means: 'The campaign is missing something that it needs in order to serve.' },
  budget: { whose: 'campaign', means: 'The budget is spent, or there is none. Raise it to continue.' },
  daily_budget: {
    whose: 'campaign',
    means: 'The budget for this UTC day is spent, or there is none. Raise the daily budget, or wait for the next day.',
  },
  pacing: { whose: 'campaign', means: 'Spending is ahead of plan, so the budget is saved for later today.' },
  country: { whose: 'campaign', means: 'The campaign targets other countries, or the country is unknown.' },
  language: {
    whose: 'campaign',
    means:
      "The ad is not in the conversation's language, or not in one that the request accepts. Set the campaign's languages if its texts do not show them.",
  },
  format: { whose: 'campaign', means: 'The campaign has no ad in the requested format.' },
  frequency_cap: {
    whose: 'campaign',
    means:
      "The conversation has reached the campaign's frequency cap or the key's limit on ads, or the campaign has another impression of the same request.",
  },
  excluded_keyword: { whose: 'campaign', means: "The conversation contains one of the campaign's excluded keywords." },
  excluded_publisher: { whose: 'campaign', means: 'The advertiser excludes the publisher.' },

  blocked: {
    whose: 'publisher',
    means:
      'The publisher blocks the category or the domain, restricts seats or deals, or the seller does not match the key.',
  },
  coppa: { whose: 'publisher', means: 'The request is about a child, so it gets no ad.' },
  currency: { whose: 'publisher', means: 'The floor is not in USD, or the request does not accept USD.' },
  asset: {
    whose: 'publisher',
    means: 'The ad lacks a part that the native request requires, or a part is too long.',
  },
  turn_spacing: {
    whose: 'publisher',
    means: "The last ad of the conversation is fewer user turns ago than the key's turn spacing requires.",
  },
  below_floor: { whose: 'publisher', means: "The bid is below the publisher's floor, or rounds down to 0." },

  late: { whose: 'operator', means: 'There was no time left to answer.' },
  catalog_stale: {
    whose: 'operator',
    means: 'The campaigns were not loaded yet, or are out of date, because the database did not answer. Try again.',
  },
} as const satisfies Record<string, OutcomeRow>;

export type Outcome = keyof typeof OUTCOMES;

/** Why an auction has no winner. Outcomes of the auction itself are excluded, because they need at least one bidder. */
export type NoBidReason = { [O in Outcome]: (typeof OUTCOMES)[O]['whose'] extends 'auction' ? never : O }[Outcome];

export const outcomes = getKeys(OUTCOMES);
export const isNoBidReason = (outcome: Outcome): outcome is NoBidReason => OUTCOMES[outcome].whose !== 'auction';
export const noBidReasons: readonly NoBidReason[] = outcomes.filter(isNoBidReason);

/** What is counted of a no-bid in addition to its reason. */
export interface NoBidDetails {
  /** How many ads the request asked for, 1 by default. */
  asked?: number;
  /** The strictest level at which the request would have got an ad; null, the default, if at none. */
  fillsAt?: AdStrictness | null;
}
