import { diffFields, type FieldChange, laterThan, listFields, recordActivity } from '../platform/activity.ts';
import type { Write } from '../platform/database.ts';
import { toUsd } from '../platform/values/money.ts';
import type { ApiKey } from './api-key.ts';
import type { ApiKeyWithSettings } from './find-key.ts';
import { defaultSettings } from './key-settings.ts';

/** The fields that an owner sets, as in the API. No secret, and no part of one. */
const describe = ({ name, mode, bidFloor, judge, isActive, settings }: ApiKeyWithSettings) => ({
  name,
  mode,
  bidFloor: toUsd(bidFloor),
  judge: judge ?? true,
  isActive,
  ...settings,
});

const DEFAULTS = { bidFloor: 0, judge: true, isActive: true, ...defaultSettings };

/** The time of a key's next change. It also serves as the version of the key. */
export const nextChange = ({ createdAt, changedAt = Date.parse(createdAt) }: ApiKey, now: number): number =>
  laterThan(changedAt, now);

/**
 * The condition that a key was neither deleted nor changed since it was read, with its values. It settles the race of two changes: the second
 * one fails, reads again, and records what it really replaced. Requests with the key do not count as changes.
 */
export const unchangedSince = ({ changedAt }: ApiKey) =>
  changedAt === undefined
    ? { when: 'attribute_exists(#id) AND attribute_not_exists(#changedAt)', values: {} }
    : { when: '#changedAt = :changedBefore', values: { changedBefore: changedAt } };

export const recordKeyCreation = (key: ApiKeyWithSettings): Write<'activity'>[] =>
  record(key, 'created', listFields(DEFAULTS, describe(key)), Date.parse(key.createdAt));

export const recordKeyChange = (before: ApiKeyWithSettings, after: ApiKeyWithSettings, at: number) =>
  record(after, 'updated', diffFields(describe(before), describe(after)), at);

export const recordKeyRotation = (key: ApiKeyWithSettings, revokeOld: boolean, at: number): Write<'activity'>[] =>
  record(key, 'rotated', revokeOld ? [{ field: 'revokeOld', before: null, after: true }] : [], at);

export const recordKeyDeletion = (key: ApiKeyWithSettings, now: number): Write<'activity'>[] =>
  record(key, 'deleted', [], nextChange(key, now));

const record = (
  { owner, id: subject, name }: ApiKeyWithSettings,
  action: 'created' | 'updated' | 'rotated' | 'deleted',
  changes: FieldChange[],
  at: number,
): Write<'activity'>[] => recordActivity({ owner, subject, name, action, changes, version: action, at });
