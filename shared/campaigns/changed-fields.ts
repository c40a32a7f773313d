import { isDeepStrictEqual } from 'node:util';
import { keysOf } from '../platform/values/typed.ts';
import type { Campaign, Configuration } from './campaign.ts';
import { merge } from './merge.ts';

/** The names of the fields in which two configurations differ. */
export function changedFields(before: Configuration | Campaign, after: Configuration | Campaign): string[] {
  const [one, other] = [merge({}, before), merge({}, after)]; // a default that was not stored before is no change
  return keysOf(one).filter((field) => !isDeepStrictEqual(one[field], other[field]));
}
