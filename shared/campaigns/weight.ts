import type { Lexicon, MatchingProfile } from '../matching/index.ts';
import type { Configuration } from './campaign.ts';
import type { FieldError } from './field-rules.ts';

/** Bytes of its memory that a bidding instance gives a campaign, at most. */
export const MAX_CAMPAIGN_BYTES = 16 * 1024;

/** What the parts take, in bytes as measured by `npm run bench -- memory`, the spare room of growing arrays included. */
const CAMPAIGN = 1_200; // its word vector with it
const TEXT = 36;
const COUNTRY = 32;
const KEYWORD = 9;
const EXCLUDED_KEYWORD = 5;
const WORD = 5;
/** A word that is in no dictionary of ours: no other campaign may have it. Those of the dictionary are some thousands in all. */
const OWN_WORD = 44;

const textBytes = (text: string): number => (/^[\0-\xff]*$/.test(text) ? 1 : 2) * text.length;
const sum = (numbers: number[]): number => numbers.reduce((total, one) => total + one, 0);

/** Bytes of a campaign by field; the rest of it under no name. */
type Weights = ReadonlyMap<string, number>;

/** What a bidding instance's memory holds of a campaign. */
export function weigh({ name, targetAudience }: Configuration, { k, x }: MatchingProfile, lexicon: Lexicon): Weights {
  const own = new Set<string>();
  const phrases = (joined: string, each: number): number => {
    if (joined === '') return 0;
    const all = joined.split(/[|/]/).filter(Boolean);
    const stems = all.flatMap((phrase) => phrase.split(' '));
    const before = own.size;
    for (const stem of stems) if (!lexicon.vocabulary.has(stem)) own.add(stem);
    return each * all.length + WORD * stems.length + OWN_WORD * (own.size - before);
  };
  return new Map([
    ['', CAMPAIGN + textBytes(name)],
    ['targetAudience.keywords', phrases(k, KEYWORD)],
    ['targetAudience.excludedKeywords', phrases(x, EXCLUDED_KEYWORD)],
    ['targetAudience.categories', sum(targetAudience.categories.map((category) => TEXT + textBytes(category)))],
    ['targetAudience.countries', COUNTRY * targetAudience.countries.length],
  ]);
}

/** The total of a campaign's weights. */
export const sumWeights = (weights: Weights): number => sum([...weights.values()]);

/**
 * Refuses a campaign that is too heavy, by the field that it is heaviest by. A stored one that is heavier, from before there was a
 * bound, may stay so: only what a change makes heavier is refused.
 */
export function findOverweight(after: Weights, before?: Weights): FieldError[] {
  const total = sumWeights(after);
  if (total <= MAX_CAMPAIGN_BYTES || (before && total <= sumWeights(before))) return [];
  const heavier = [...after].filter(([path, bytes]) => path !== '' && bytes > (before?.get(path) ?? 0));
  const [heaviest] = heavier.sort(([, one], [, other]) => other - one);
  if (!heaviest) return [];
  const [path] = heaviest;
  const kib = (total / 1024).toFixed(1);
  const message = `${path.split('.').at(-1)} must be fewer or shorter, or share more words: the campaign would take ${kib} KiB of memory, and the limit is ${MAX_CAMPAIGN_BYTES / 1024} KiB`;
  return [{ path, message }];
}
