import type { KeyBody } from './data.ts';

export type KeySums = NonNullable<KeyBody['figures']>;

const NOTHING: KeySums = {
  requests: 0,
  bids: 0,
  fillRate: null,
  impressions: 0,
  clicks: 0,
  notRelevant: 0,
  viewableImpressions: 0,
  suspectClicks: { tooFast: 0, tooMany: 0 },
  earnings: 0,
};

/** A new key has no figures yet, and a service of the previous version does not send all of them. */
export const keyFigures = ({ figures }: Pick<KeyBody, 'figures'>): KeySums => ({ ...NOTHING, ...figures });

/** The totals of all keys. */
export function figuresOfAll(keys: readonly Pick<KeyBody, 'figures'>[]): KeySums {
  const sum = (of: (figures: KeySums) => number) => keys.reduce((total, key) => total + of(keyFigures(key)), 0);
  const [requests, bids] = [sum((one) => one.requests), sum((one) => one.bids)];
  return {
    requests,
    bids,
    fillRate: requests === 0 ? null : Math.min(1, bids / requests),
    impressions: sum((one) => one.impressions),
    clicks: sum((one) => one.clicks),
    notRelevant: sum((one) => one.notRelevant),
    viewableImpressions: sum((one) => one.viewableImpressions),
    suspectClicks: {
      tooFast: sum((one) => one.suspectClicks.tooFast),
      tooMany: sum((one) => one.suspectClicks.tooMany),
    },
    earnings: sum((one) => one.earnings),
  };
}

/** Highest earnings first. Equal keys keep their order, oldest first. */
export const byEarnings = <K extends Pick<KeyBody, 'figures'>>(keys: readonly K[]): K[] =>
  keys.toSorted((a, b) => keyFigures(b).earnings - keyFigures(a).earnings);
