import type * as z from 'zod';
import type { Mode } from '../../keys/credential.ts';
import { isoTime } from '../../platform/clock.ts';
import type { Write } from '../../platform/database.ts';
import type { Effects } from '../../platform/effects.ts';
import { isClicked, isServed, parseClickId } from '../bids/bid.ts';
import { createBidStore } from '../bids/store.ts';
import type { conversionResponse } from './conversion-response.ts';
import type { ConversionInput } from './conversion-schema.ts';

/** A stored conversion. It is counted once, and sends one event. */
export interface Conversion {
  owner: string;
  conversionId: string;
  clickId: string;
  bidId: string;
  campaignId: string;
  keyOwner: string;
  userId: string;
  mode: Mode;
  conversionType: string;
  value: number;
  currency: string;
  /** Epoch milliseconds. */
  at: number;
  /** Set if the impression was not yet charged when the conversion was recorded. Absent otherwise, and in older records. */
  isUncharged?: true;
}

declare module '../../platform/items.ts' {
  interface Items {
    conversions: Conversion;
  }
}

type RecordedConversion = { outcome: 'recorded' | 'repeated'; conversion: Conversion } | { outcome: 'unknown_click' };

/** Marks a conversion as counted. The condition fails if it is already marked. */
export const markConversionCounted = ({ owner, conversionId }: Conversion): Write<'conversions'> => ({
  table: 'conversions',
  key: { owner, conversionId },
  update: 'SET #counted = :true',
  when: 'attribute_exists(#owner) AND attribute_not_exists(#counted)',
  values: { true: true },
});

export function createConversionStore(effects: Pick<Effects, 'db' | 'clock' | 'ids' | 'config'>) {
  const { db, clock, ids } = effects;
  const bids = createBidStore(effects);

  return {
    /** Records a conversion. The condition keeps the first record when a conversion id is repeated. */
    async record(owner: string, input: ConversionInput): Promise<RecordedConversion> {
      const bid = await bids.find(parseClickId(input.clickId) ?? '');
      if (!bid || !isClicked(bid) || bid.campaignOwner !== owner) return { outcome: 'unknown_click' };
      const conversion: Conversion = {
        owner,
        conversionId: input.conversionId ?? ids.ordered('conversion'),
        clickId: input.clickId,
        bidId: bid.id,
        campaignId: bid.campaignId,
        keyOwner: bid.keyOwner,
        userId: bid.click.userId || (bid.shown?.userId ?? ''),
        mode: bid.mode,
        conversionType: input.conversionType,
        value: input.value ?? 0,
        currency: input.currency ?? 'USD',
        at: clock.now(),
        ...(!isServed(bid) && { isUncharged: true }),
      };
      const written = await db.write({
        table: 'conversions',
        put: conversion,
        when: 'attribute_not_exists(#owner)',
        once: true,
      });
      return written.ok
        ? { outcome: 'recorded', conversion }
        : { outcome: 'repeated', conversion: written.old ?? conversion };
    },
  };
}

/** Converts a conversion to its API response. */
export const presentConversion = (conversion: Conversion): z.output<typeof conversionResponse> => ({
  conversionId: conversion.conversionId,
  clickId: conversion.clickId,
  campaignId: conversion.campaignId,
  conversionType: conversion.conversionType,
  value: conversion.value,
  currency: conversion.currency,
  createdAt: isoTime(conversion.at),
});
