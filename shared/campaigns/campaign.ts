import type { MatchingProfile } from '../matching/index.ts';
import { fromUsd, type Micros, micros } from '../platform/values/money.ts';
import type { FrequencyCap } from './conversation-terms.ts';
import { type Creative, EMPTY_CREATIVE } from './creative.ts';
import type { Reviewed } from './review/review.ts';

export const BID_STRATEGIES = ['auto', 'manual', 'target_cpa', 'maximize_clicks'] as const;
export const STATUSES = ['draft', 'active', 'paused', 'completed', 'cancelled'] as const;
type BidStrategy = (typeof BID_STRATEGIES)[number];
export type Status = (typeof STATUSES)[number];
/** Why a campaign is paused: by its user, because its total is spent, or its day's budget. */
export type PausedReason = 'user' | 'budget' | 'daily_budget';

interface TargetAudience {
  keywords: string[];
  demographics: { ageRange: string | null; interests: string[] };
  countries: string[];
  /** ISO 639-1; absent in what was stored before there were any, and empty where its texts tell its language. */
  languages?: string[];
  excludedKeywords: string[];
  categories: string[];
}

/** What an advertiser configures; amounts in micro-dollars. */
export interface Configuration {
  name: string;
  description: string;
  budget: Micros;
  /** null: follows the budget. */
  dailyBudget: Micros | null;
  targetAudience: TargetAudience;
  creative: Creative;
  bidStrategy: BidStrategy;
  /** Highest CPM it may bid. */
  maxCpb: Micros;
  targetCpa: Micros | null;
  /** How often it may be shown in one conversation; absent in what was stored before, null: as often as it wins. */
  frequencyCap?: FrequencyCap | null;
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

/** What a field has if it is absent or null. */
export const DEFAULTS: Omit<Configuration, 'name'> = {
  description: '',
  budget: /* @__PURE__ */ micros(0),
  dailyBudget: null,
  targetAudience: EMPTY_TARGET_AUDIENCE,
  creative: EMPTY_CREATIVE,
  bidStrategy: 'auto',
  maxCpb: /* @__PURE__ */ fromUsd(1),
  targetCpa: null,
  frequencyCap: null,
  status: 'draft',
  startDate: null,
  endDate: null,
};

/** A campaign as it is stored. What it has spent stands in its ledger; here only what was spent when money last changed its status. */
export interface Campaign extends Configuration, Reviewed {
  id: string;
  owner: string;
  pausedReason: PausedReason | null;
  /** The UTC day whose budget is spent, of a campaign paused for it. */
  pausedDay: string | null;
  /** How often its total budget was spent whole: each time is a fact of its own. */
  exhaustions: number;
  /** The money at the moment when it paused the campaign or ran out: what the events of that moment tell. */
  moneyAt?: { spent: Micros; impressions: number } | null;
  /** Under what its creative is stored for the ads that are handed out with it; absent in what was stored before there were versions. */
  creativeVersion?: string;
  /** Bytes of a bidding instance's memory that its owner's sum counts it with; absent in what was stored before there was a sum. */
  memoryBytes?: number;
  /** Where matching finds it. */
  profile: MatchingProfile;
  createdAt: string;
  updatedAt: string;
  /** Epoch milliseconds of the last change, and how many there were: bidding follows changes by them. */
  changedAt: number;
  version: number;
}

/** What may be spent in one UTC day. */
export const getDailyBudget = ({ budget, dailyBudget }: Pick<Configuration, 'budget' | 'dailyBudget'>): Micros =>
  dailyBudget ?? budget;
