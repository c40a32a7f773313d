import { diffFields, type FieldChange, listFields, recordActivity } from '../platform/activity.ts';
import { DAY_MS } from '../platform/clock.ts';
import type { Write } from '../platform/database.ts';
import type { Effects } from '../platform/effects.ts';
import type { Phrase } from '../platform/judge.ts';
import { toUsd } from '../platform/values/money.ts';
import { type Campaign, type Configuration, DEFAULTS, getDailyBudget } from './campaign.ts';
import { asOf } from './lifecycle.ts';
import { merge } from './merge.ts';

/** The fields that an advertiser sets, as in the API. A default that is not stored is no change. */
function describe(configuration: Configuration | Campaign) {
  const merged = merge({}, configuration);
  const { budget, maxCpb, targetCpa, frequencyCap } = merged;
  return {
    ...merged,
    budget: toUsd(budget),
    dailyBudget: toUsd(getDailyBudget(merged)),
    maxCpb: toUsd(maxCpb),
    targetCpa: targetCpa === null ? null : toUsd(targetCpa),
    // DynamoDB does not keep the order of fields.
    frequencyCap: frequencyCap && { impressions: frequencyCap.impressions, per: frequencyCap.per },
    pausedReason: 'pausedReason' in configuration ? configuration.pausedReason : null,
  };
}

/** The change of suggested phrases. Their weights are part of the texts, because lists are compared by text. */
export function diffPhrases(before: readonly Phrase[], after: readonly Phrase[]): FieldChange[] {
  const toTexts = (phrases: readonly Phrase[]) => phrases.map(({ text, weight }) => `${text} (${weight})`);
  return diffFields({ suggestedPhrases: toTexts(before) }, { suggestedPhrases: toTexts(after) });
}

export const recordCreated = (campaign: Campaign): Write<'activity'>[] =>
  record(campaign, 'created', listFields(describe({ ...DEFAULTS, name: '' }), describe(campaign)));

export const recordUpdated = (before: Campaign, after: Campaign, phrases: FieldChange[]): Write<'activity'>[] =>
  record(after, 'updated', [...diffFields(describe(before), describe(after)), ...phrases]);

/** @param deleted the campaign with the version and the time of its deletion */
export const recordDeleted = (deleted: Campaign): Write<'activity'>[] => record(deleted, 'deleted', []);

const record = (
  { owner, id: subject, name, version, changedAt: at }: Campaign,
  action: 'created' | 'updated' | 'deleted',
  changes: FieldChange[],
): Write<'activity'>[] => recordActivity({ owner, subject, name, action, changes, version, at });

/**
 * Records the changes of status that spending and time caused, from the stream record of the change: a charge waits for nothing but its own
 * transaction. Ids derive from the facts, so a repeated stream record writes nothing new.
 */
export async function recordAutomaticChanges(
  { db }: Pick<Effects, 'db'>,
  stored: Campaign,
  now: Campaign,
): Promise<void> {
  // If the owner's own change paused the campaign, for example by a lower budget, its entry has this id already.
  for (const write of findAutomaticChanges(stored, now))
    await db.write({ ...write, when: 'attribute_not_exists(#id)' });
}

function findAutomaticChanges(stored: Campaign, now: Campaign): Write<'activity'>[] {
  const { owner, id: subject, name } = now;
  const entry = { owner, subject, name, action: 'updated' } as const;
  const old = asOf(stored, now.changedAt);
  const inTime = diffFields(toState(stored), toState(old));
  const isPaused = old.status === 'active' && now.status === 'paused';
  const { pausedReason, version, changedAt } = now;
  return [
    ...recordActivity({ ...entry, ...getTimedEffect(stored, old), changes: inTime }),
    ...(isPaused && (pausedReason === 'budget' || pausedReason === 'daily_budget')
      ? recordActivity({
          ...entry,
          reason: pausedReason,
          version,
          at: changedAt,
          changes: diffFields(toState(old), toState(now)),
        })
      : []),
  ];
}

const toState = ({ status, pausedReason }: Campaign) => ({ status, pausedReason });

/** Why time changed the status, and when: it took effect then, even if it was stored later. */
function getTimedEffect({ endDate, pausedDay }: Campaign, old: Campaign) {
  return old.status === 'completed'
    ? { reason: 'end_date' as const, version: `end ${endDate}`, at: Date.parse(endDate ?? '') + 1 }
    : { reason: 'new_day' as const, version: `day ${pausedDay}`, at: Date.parse(pausedDay ?? '') + DAY_MS };
}
