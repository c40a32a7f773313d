import type * as z from 'zod';
import { totalRow } from '../../budgets/counts.ts';
import { DEFAULTS } from '../../campaigns/campaign.ts';
import { findCampaign } from '../../campaigns/find.ts';
import type { Mode } from '../../keys/credential.ts';
import { DAY_MS, isoTime } from '../../platform/clock.ts';
import type { Write } from '../../platform/database.ts';
import type { Effects } from '../../platform/effects.ts';
import { fromUsd, type Micros, micros } from '../../platform/values/money.ts';
import { type Bid, isClicked, isServed, parseClickId } from '../bids/bid.ts';
import { createBidStore } from '../bids/store.ts';
import type { conversionResponse, testConversionResponse } from './conversion-response.ts';
import type { ConversionInput, testConversion } from './conversion-schema.ts';

/** A stored conversion. A live one is counted once, and sends one event. */
export interface Conversion {
  owner: string;
  conversionId: string;
  clickId: string;
  bidId: string;
  campaignId: string;
  keyOwner: string;
  /** The values by which it is counted, if its bid has them. Removed once they are; absent if it does not count, and in older records. */
  keyId?: string;
  countryCode?: string;
  topic?: string;
  variant?: string;
  creativeVersion?: string;
  userId: string;
  /**
   * `late`: recorded after the conversion window of its campaign. It is not a field of its own, so that workers of the previous version,
   * which run at the same time during a deployment, do not count it either.
   */
  mode: Mode | 'late';
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

/** The largest value that counts. It limits what a wrong value does to a report, and lets a batch be summed in safe integers. */
const MAX_COUNTED = fromUsd(1_000_000);

/** The part of a conversion's value that reports add up. A value in another currency than USD is only stored. */
export const getCountedValue = ({ value, currency }: Conversion): Micros =>
  currency === 'USD' ? micros(Math.min(fromUsd(value), MAX_COUNTED)) : micros(0);

/** Whether a conversion counts in reports and sends an event. */
export const isCounted = ({ mode }: Pick<Conversion, 'mode'>): boolean => mode === 'live';

const toBrokenDown = ({ keyId, countryCode, topic, variant, creativeVersion }: Bid) => ({
  keyId,
  countryCode,
  ...(topic && { topic }),
  ...(variant && { variant }),
  ...(creativeVersion && { creativeVersion }),
});

/** Marks a conversion as counted. The condition fails if it is already marked. */
export const markConversionCounted = ({ owner, conversionId }: Conversion): Write<'conversions'> => ({
  table: 'conversions',
  key: { owner, conversionId },
  update: 'SET #counted = :true',
  when: 'attribute_exists(#owner) AND attribute_not_exists(#counted)',
  values: { true: true },
});

/**
 * Removes the values by which a conversion was counted. Conversions are kept for good, and may name a user: what that user talked about must not
 * stay next to it.
 */
export const forgetBrokenDown = ({ owner, conversionId }: Conversion): Write<'conversions'> => ({
  table: 'conversions',
  key: { owner, conversionId },
  update: 'REMOVE #keyId, #countryCode, #topic, #variant, #creativeVersion',
  when: 'attribute_exists(#owner)',
});

export function createConversionStore(effects: Pick<Effects, 'db' | 'clock' | 'ids' | 'config'>) {
  const { db, clock, ids } = effects;
  const bids = createBidStore(effects);

  /** How long after its click a conversion counts. A deleted campaign has the default window. */
  async function getWindowMs(owner: string, campaignId: string): Promise<number> {
    const { conversionWindowDays = DEFAULTS.conversionWindowDays } =
      (await findCampaign(effects, owner, campaignId)) ?? {};
    return conversionWindowDays * DAY_MS;
  }

  return {
    /** Records a conversion. The condition keeps the first record when a conversion id is repeated. */
    async record(owner: string, input: ConversionInput): Promise<RecordedConversion> {
      const bid = await bids.find(parseClickId(input.clickId) ?? '');
      if (!bid || !isClicked(bid) || bid.campaignOwner !== owner) return { outcome: 'unknown_click' };
      const at = clock.now();
      const isLate = at >= bid.click.at + (await getWindowMs(owner, bid.campaignId));
      const mode = isLate && bid.mode === 'live' ? 'late' : bid.mode;
      const conversion: Conversion = {
        owner,
        conversionId: input.conversionId ?? ids.ordered('conversion'),
        clickId: input.clickId,
        bidId: bid.id,
        campaignId: bid.campaignId,
        keyOwner: bid.keyOwner,
        ...(isCounted({ mode }) && toBrokenDown(bid)),
        userId: bid.click.userId || (bid.shown?.userId ?? ''),
        mode,
        conversionType: input.conversionType,
        value: input.value ?? 0,
        currency: input.currency ?? 'USD',
        at,
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

/** Notes when the last test of a campaign was received. Nothing else of a test is stored, so tests take no space and reach no report. */
export const noteTest = (campaignId: string, at: number): Write<'ledgers'> => ({
  ...totalRow(campaignId),
  update: 'SET #lastTestConversionAt = :at',
  values: { at },
});

/** Converts a test conversion to its API response: what a conversion with the same body would be. */
export const presentTest = (
  { campaignId, conversionType, value, currency }: z.output<typeof testConversion>,
  at: number,
): z.output<typeof testConversionResponse> => ({
  campaignId,
  conversionType,
  value: value ?? 0,
  currency: currency ?? 'USD',
  counted: false,
  createdAt: isoTime(at),
});

/** Converts a conversion to its API response. */
export const presentConversion = (conversion: Conversion): z.output<typeof conversionResponse> => ({
  conversionId: conversion.conversionId,
  clickId: conversion.clickId,
  campaignId: conversion.campaignId,
  conversionType: conversion.conversionType,
  value: conversion.value,
  currency: conversion.currency,
  counted: isCounted(conversion),
  createdAt: isoTime(conversion.at),
});
