/** What counts are broken down by, and the letters that stand for dimensions in stored attributes. */
export const DIMENSIONS = {
  country: 'c',
  publisher: 'p',
  topic: 't',
  creative: 'r',
  variant: 'v',
  domain: 'd',
} as const;

export type Dimension = keyof typeof DIMENSIONS;

export const isDimension = (name: string): name is Dimension => Object.hasOwn(DIMENSIONS, name);

/** The dimensions of a campaign and of a key. */
export const campaignDimensions = ['country', 'publisher', 'topic', 'creative', 'variant'] as const;
export const keyDimensions = ['country', 'domain', 'variant'] as const;

/** The values by which something is counted. */
export type DimensionValues = Record<Dimension, string>;

/** Counted for bids without a value, such as the topic after an opt-out. */
export const NONE = 'none';
/** Counted for values after the first of a day. */
export const OTHER = 'other';
/** In reports: what the totals contain in addition to the breakdown. */
export const UNATTRIBUTED = 'unattributed';

/** Whether it stands for several values or for none. */
export const isReserved = (value: string): boolean => [NONE, OTHER, UNATTRIBUTED].includes(value);
