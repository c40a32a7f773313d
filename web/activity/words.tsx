import type { ComponentChild } from 'preact';
import { getLabel, nameUnknownPublisher, STRATEGIES } from '../campaigns/labels.ts';
import { formatUsd, label } from '../format.ts';
import { nameState } from '../parts/status.tsx';
import { Day } from '../parts/time.tsx';
import { KEY_LABELS } from '../publisher/key-labels.ts';
import { EVENT_NAMES } from '../webhooks/events.ts';
import type { ActivityEntry, FieldChange } from './data.ts';

const ACTIONS: Readonly<Record<ActivityEntry['action'], string>> = {
  created: 'Created',
  updated: 'Changed',
  rotated: 'Secret rotated',
  deleted: 'Deleted',
};

/** Why the service changed something by itself. */
const REASONS: Readonly<Record<NonNullable<ActivityEntry['reason']>, string>> = {
  budget: 'the budget is spent',
  daily_budget: 'the daily budget is spent',
  new_day: 'a new day has begun (UTC)',
  end_date: 'its end date has passed',
  failing_webhook: 'no delivery succeeded for five days',
};

/** What was done, and by whom. */
export function describeAction({ action, actor, reason }: ActivityEntry): string {
  const what = ACTIONS[action] ?? label(action);
  if (actor === 'user') return `${what} by you`;
  return `${what} automatically${reason ? `: ${REASONS[reason] ?? label(reason)}` : ''}`;
}

/** Labels of fields that no form has, or that several have. */
const LABELS: Readonly<Record<string, string>> = {
  ...KEY_LABELS,
  name: 'Name',
  description: 'Description',
  'creative.description': 'Description of the ad',
  'creative.videoUrl': 'Video URL',
  'creative.thumbnailUrl': 'Thumbnail URL',
  'frequencyCap.impressions': 'Limit per conversation',
  'frequencyCap.per': 'Limit counts',
  status: 'Status',
  pausedReason: 'Paused by',
  isActive: 'Status',
  mode: 'Mode',
  judge: 'Second opinion',
  adStrictness: 'How well ads must fit',
  publicName: 'Public name',
  excludedPublishers: 'Excluded publishers',
  conversionWindowDays: 'Conversion window (days)',
  suggestedPhrases: 'Suggested phrases',
  revokeOld: 'Earlier secrets',
  billing: 'Billing',
  auction: 'Auction',
  sellerAgentUrl: 'Seller agent URL',
  url: 'Host',
  events: 'Events',
};

/** The name of a field without its unit, which its values have. */
export function nameField(field: string): string {
  const known = LABELS[field] ?? getLabel(field);
  return (known === field.split('.').at(-1) ? label(toWords(known)) : known).replace(/ \(USD\)$| \(UTC\)$/, '');
}

const toWords = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const nameOf = (type: 'region' | 'language') => {
  const names = new Intl.DisplayNames('en', { type });
  return (code: string) => names.of(code) ?? code;
};

/** How items of a list are named. */
const ITEMS: Readonly<Record<string, (item: string) => string>> = {
  'targetAudience.countries': nameOf('region'),
  'targetAudience.languages': nameOf('language'),
  excludedPublishers: nameUnknownPublisher,
  events: (type) => Object.entries(EVENT_NAMES).find(([known]) => known === type)?.[1] ?? type,
};

export const nameItem = (field: string, item: string): string => ITEMS[field]?.(item) ?? item;

type Value = NonNullable<FieldChange['before']> | null;

const usd = (decimals?: number) => (value: Value) => formatUsd(Number(value), decimals);
const day = (value: Value) => <Day at={String(value)} />;
const onOrOff = (value: Value) => (value === true ? 'On' : 'Off');

/** How values of a field are shown. */
const VALUES: Readonly<Record<string, (value: Value) => ComponentChild>> = {
  budget: usd(),
  dailyBudget: usd(),
  targetCpa: usd(),
  maxCpb: usd(3),
  bidFloor: usd(3),
  startDate: day,
  endDate: day,
  isActive: onOrOff,
  judge: onOrOff,
  revokeOld: () => 'Revoked',
  status: (state) => nameState(state === 'failed' ? 'failing' : String(state)),
  bidStrategy: (strategy) =>
    Object.entries(STRATEGIES).find(([known]) => known === strategy)?.[1][0] ?? label(String(strategy)),
  pausedReason: (reason) => (reason === 'user' ? 'You' : label(String(reason))),
  adStrictness: (level) => label(String(level)),
  mode: (mode) => label(String(mode)),
  'frequencyCap.per': (per) => (per === 'day' ? 'Per day' : 'Per conversation'),
};

export function showValue(field: string, value: FieldChange['before']): ComponentChild {
  if (value === null || value === undefined) return 'none';
  if (value === '') return 'empty';
  return VALUES[field]?.(value) ?? String(value);
}

/** The changes to show: why a campaign is paused is said by its new status, and by the reason of the service. */
export const selectShown = ({ changes }: Pick<ActivityEntry, 'changes'>): readonly FieldChange[] =>
  changes.length === 1 ? changes : changes.filter(({ field }) => field !== 'pausedReason');
