import type { MatchingProfile } from '../matching/index.ts';
import { fromUsd, type Micros, micros } from '../platform/values/money.ts';
import type { FrequencyCap } from './conversation-terms.ts';
import { type Creative, EMPTY_CREATIVE } from './creative.ts';
import type { Reviewed } from './review/review.ts';

export const BID_STRATEGIES = ['auto', 'manual', 'target_cpa', 'maximize_clicks'] as const;
export const STATUSES = ['draft', 'active', 'paused', 'completed', 'cancelled'] as const;
type BidStrategy = (typeof BID_STRATEGIES)[number];
export type Status = (typeof STATUSES)[number];
/** Why a campaign is paused: by its user, or because the total or daily budget is spent. */
export type PausedReason = 'user' | 'budget' | 'daily_budget';

interface TargetAudience {
  keywords: string[];
  demographics: { ageRange: string | null; interests: string[] };
  countries: string[];
  /** ISO 639-1. Empty: detected from the campaign's texts. Absent in campaigns stored before the field existed. */
  languages?: string[];
  excludedKeywords: string[];
  categories: string[];
}

/** The fields that an advertiser sets. Amounts are in micro-dollars. */
export interface Configuration {
  name: string;
  description: string;
  budget: Micros;
  /** null: equals `budget`. */
  dailyBudget: Micros | null;
  targetAudience: TargetAudience;
  creative: Creative;
  bidStrategy: BidStrategy;
  /** Maximum bid, CPM. */
  maxCpb: Micros;
  targetCpa: Micros | null;
  /** null: no limit. Absent in campaigns stored before the field existed. */
  frequencyCap?: FrequencyCap | null;
  /** IDs of publishers, as this advertiser's reports show them. Absent in campaigns stored before the field existed. */
  excludedPublishers?: string[];
  /** How many days after its click a conversion counts. Absent in campaigns stored before the field existed: 30. */
  conversionWindowDays?: number;
  status: Status;
  startDate: string | null;
  endDate: string | null;
}

export const EMPTY_TARGET_AUDIENCE: Required<TargetAudience> = {
  keywords: [],
  demographics: { ageRange: null, interests: [] },
  countries: [],
  languages: [],
  excludedKeywords: [],
  categories: [],
};

/** The longest conversion window. A clicked bid is kept for that long after its click. */
export const MAX_CONVERSION_WINDOW_DAYS = 90;

/** The value of a field that is absent or null. */
export const DEFAULTS: Omit<Configuration, 'name' | 'conversionWindowDays'> & { conversionWindowDays: number } = {
  description: '',
  budget: /* @__PURE__ */ micros(0),
  dailyBudget: null,
  targetAudience: EMPTY_TARGET_AUDIENCE,
  creative: EMPTY_CREATIVE,
  bidStrategy: 'auto',
  maxCpb: /* @__PURE__ */ fromUsd(1),
  targetCpa: null,
  frequencyCap: null,
  excludedPublishers: [],
  conversionWindowDays: 30,
  status: 'draft',
  startDate: null,
  endDate: null,
};

/** A stored campaign. Its spend is in the ledger; `moneyAt` is a copy made when spend last changed the status. */
export interface Campaign extends Configuration, Reviewed {
  id: string;
  owner: string;
  pausedReason: PausedReason | null;
  /** The UTC day whose budget is spent, if the campaign is paused for that reason. */
  pausedDay: string | null;
  /** How many times the total budget was used up. Each time sends an event. */
  exhaustions: number;
  /** Spend at the moment when the budget paused the campaign or was used up, as reported by the events of that moment. */
  moneyAt?: { spent: Micros; impressions: number } | null;
  /** The stored version of the creative for the campaign's ads. Absent in campaigns stored before versions existed. */
  creativeVersion?: string;
  /** Bytes of memory in a bidding instance, counted toward the owner's limit. Absent in campaigns stored before the limit existed. */
  memoryBytes?: number;
  /** Terms and topics used to match the campaign. */
  profile: MatchingProfile;
  createdAt: string;
  updatedAt: string;
  /** Time of the last change, epoch ms, and number of changes. Bidding instances use both to follow changes. */
  changedAt: number;
  version: number;
}

/** Budget for one UTC day, micro-dollars. */
export const getDailyBudget = ({ budget, dailyBudget }: Pick<Configuration, 'budget' | 'dailyBudget'>): Micros =>
  dailyBudget ?? budget;
