import type { KeyBody } from './data.ts';

/** The figures that the list shows. During a rollout, the previous version responds without the latest others. */
export type KeySums = Pick<
  NonNullable<KeyBody['figures']>,
  'requests' | 'bids' | 'fillRate' | 'impressions' | 'clicks' | 'earnings'
>;

const NOTHING: KeySums = {
  requests: 0,
  bids: 0,
  fillRate: null,
  impressions: 0,
  clicks: 0,
  earnings: 0,
};

/** What the list shows of a key. */
interface WithFigures {
  figures?: KeySums;
}

/** A new key has no figures yet. */
export const keyFigures = ({ figures = NOTHING }: WithFigures): KeySums => figures;

/** The totals of all keys. */
export function figuresOfAll(keys: readonly WithFigures[]): KeySums {
  const sum = (of: (figures: KeySums) => number) => keys.reduce((total, key) => total + of(keyFigures(key)), 0);
  const [requests, bids] = [sum((one) => one.requests), sum((one) => one.bids)];
  return {
    requests,
    bids,
    fillRate: requests === 0 ? null : Math.min(1, bids / requests),
    impressions: sum((one) => one.impressions),
    clicks: sum((one) => one.clicks),
    earnings: sum((one) => one.earnings),
  };
}

/** Highest earnings first. Equal keys keep their order, oldest first. */
export const byEarnings = <K extends WithFigures>(keys: readonly K[]): K[] =>
  keys.toSorted((a, b) => keyFigures(b).earnings - keyFigures(a).earnings);
