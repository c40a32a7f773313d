import type { Lexicon, MatchingProfile } from '../matching/index.ts';
import type { Configuration } from './campaign.ts';
import type { FieldError } from './field-rules.ts';

/** Maximum memory of a campaign in a bidding instance. */
export const MAX_CAMPAIGN_BYTES = 16 * 1024;

/** Bytes of each part, measured by `npm run bench -- memory`. Includes the unused capacity of growing arrays. */
const CAMPAIGN = 1_200; // includes its word vector
const TEXT = 36;
const COUNTRY = 32;
const KEYWORD = 9;
const EXCLUDED_KEYWORD = 5;
const WORD = 5;
/** A word that is not in the lexicon, so possibly not shared with any other campaign. */
const OWN_WORD = 44;

const textBytes = (text: string): number => (/^[\0-\xff]*$/.test(text) ? 1 : 2) * text.length;
const sum = (numbers: number[]): number => numbers.reduce((total, one) => total + one, 0);

/** Bytes of a campaign by field. The empty name holds the rest. */
type Weights = ReadonlyMap<string, number>;

/** Estimates the memory of a campaign in a bidding instance. */
export function weigh(
  { name, targetAudience, excludedPublishers = [] }: Configuration,
  { k, x }: MatchingProfile,
  lexicon: Lexicon,
): Weights {
  const ownWords = new Set<string>();
  const phrases = (joined: string, each: number): number => {
    if (joined === '') return 0;
    const all = joined.split(/[|/]/).filter(Boolean);
    const stems = all.flatMap((phrase) => phrase.split(' '));
    const before = ownWords.size;
    for (const stem of stems) if (!lexicon.vocabulary.has(stem)) ownWords.add(stem);
    return each * all.length + WORD * stems.length + OWN_WORD * (ownWords.size - before);
  };
  return new Map([
    ['', CAMPAIGN + textBytes(name)],
    ['targetAudience.keywords', phrases(k, KEYWORD)],
    ['targetAudience.excludedKeywords', phrases(x, EXCLUDED_KEYWORD)],
    ['targetAudience.categories', sum(targetAudience.categories.map((category) => TEXT + textBytes(category)))],
    ['targetAudience.countries', COUNTRY * targetAudience.countries.length],
    ['excludedPublishers', sum(excludedPublishers.map((id) => TEXT + textBytes(id)))],
  ]);
}

export const sumWeights = (weights: Weights): number => sum([...weights.values()]);

/**
 * Rejects a campaign over the limit, with an error for the field that takes the most memory. A campaign stored over the limit before the
 * limit existed is rejected only if a change makes it heavier.
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
