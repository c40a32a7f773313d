import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createCatalogEntries } from '../../shared/ads/catalog/entries.ts';
import { getLexicon as load } from '../../shared/ads/catalog/lexicon.ts';
import type { Campaign, Configuration } from '../../shared/campaigns/campaign.ts';
import { createCampaign } from '../../shared/campaigns/campaign-schema.ts';
import { toMatchingProfile } from '../../shared/campaigns/matching-profile.ts';
import { merge } from '../../shared/campaigns/merge.ts';
import { MAX_CAMPAIGN_BYTES, sumWeights, weigh } from '../../shared/campaigns/weight.ts';

const lexicon = load();

/** Returns a new unique text on each call, so that no two campaigns share one. */
function maker() {
  let made = 0;
  return (length: number, first = 0x61, letters = 26): string => {
    let rest = ++made;
    let text = '';
    for (let i = 0; i < length; i++) {
      text += String.fromCodePoint(first + (rest % letters));
      rest = rest >= letters ? Math.floor(rest / letters) : made + 7 * i;
    }
    return text;
  };
}
const word = maker();
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
/** Fix the language. Otherwise, made-up words would be detected as different languages, and stemming would change their size. */
const audience = (targetAudience: object) => ({ targetAudience: { languages: ['en'], ...targetAudience } });
const CYRILLIC = [0x430, 32] as const;
const CJK = [0x4e00, 20_000] as const;
/** Returns each text twice, so that pairs of campaigns share words that no other campaign has. */
const twice = <T>(make: () => T) => {
  let last: T | undefined;
  return (): T => {
    const again = last;
    last = again ? undefined : make();
    return again ?? last!;
  };
};

/** Bodies that use the maximum memory of one field, by field. The argument is the amount. */
export const HOSTILE: Record<string, (size: number) => object> = {
  'unique words': (size) => audience({ keywords: times(size, () => word(8)) }),
  'long words in another script': (size) => audience({ keywords: times(size, () => word(100, ...CYRILLIC)) }),
  'three unique words each': (size) => audience({ keywords: times(size, () => `${word(8)} ${word(7)} ${word(6)}`) }),
  'many short words': (size) => audience({ keywords: times(size, () => times(20, () => word(4)).join(' ')) }),
  'single Han characters': (size) =>
    audience({ keywords: times(size, () => times(50, () => word(1, ...CJK)).join(' ')) }),
  'Han without spaces': (size) => audience({ keywords: times(size, () => times(100, () => word(1, ...CJK)).join('')) }),
  'excluded keywords': (size) =>
    audience({ keywords: ['shoes'], excludedKeywords: times(size, () => `${word(8)} ${word(7)}`) }),
  'both lists': (size) =>
    audience({ keywords: times(size, () => word(8)), excludedKeywords: times(size, () => word(9)) }),
  interests: (size) =>
    audience({ demographics: { interests: times(Math.min(50, size), () => `${word(50)} ${word(49)}`) } }),
  categories: (size) =>
    audience({ keywords: ['shoes'], categories: times(Math.min(50, size), () => word(100, ...CYRILLIC)) }),
  countries: (size) => audience({ keywords: ['shoes'], countries: times(Math.min(249, size + 49), () => 'DE') }),
  'creative texts': (size) => ({
    targetAudience: { keywords: ['shoes'] },
    creative: { headline: word(size, ...CYRILLIC), description: word(5 * size, ...CYRILLIC) },
  }),
};

/** The same for pairs of campaigns, whose texts are shared but by as few campaigns as possible. */
export const sharedByTwo = (make: (size: number) => object) => {
  const both = new Map<number, () => object>();
  return (size: number): object => {
    if (!both.has(size))
      both.set(
        size,
        twice(() => make(size)),
      );
    return both.get(size)!();
  };
};

let count = 0;
export function configure(body: object): Configuration {
  const creative = { headline: 'Hi', landingUrl: 'https://a.example/' };
  const name = word(200, ...CYRILLIC);
  const status = 'active';
  return merge(createCampaign.parse({ name, status, creative, ...body }));
}

export const getWeight = (configuration: Configuration): number =>
  sumWeights(weigh(configuration, toMatchingProfile(configuration, lexicon), lexicon));

/** The largest amount that validation accepts, at most 200. */
export function findHeaviest(make: (size: number) => object): number {
  let [low, high] = [1, 200];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (getWeight(configure(make(middle))) <= MAX_CAMPAIGN_BYTES) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** A campaign as an instance reads it, without shared strings. */
function stored(configuration: Configuration): Campaign {
  const time = '2026-11-20T09:00:00.000Z';
  const campaign: Campaign = {
    ...configuration,
    id: `cmp_${String(++count).padStart(20, '0')}`,
    owner: 'x'.repeat(100) + (count % 1_000),
    profile: toMatchingProfile(configuration, lexicon),
    pausedReason: null,
    pausedDay: null,
    exhaustions: 0,
    createdAt: time,
    updatedAt: time,
    changedAt: 1,
    version: 1,
  };
  return JSON.parse(JSON.stringify(campaign));
}

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');
function memory(): number {
  collect();
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** The bytes of memory that an instance uses per campaign. */
export function measureHeapPerCampaign(campaigns: number, make: () => object): number {
  const entries = createCatalogEntries(lexicon);
  const learn = () => entries.apply({ kind: 'campaign', at: 1, campaign: stored(configure(make())) });
  for (let i = 0; i < 10; i++) learn(); // exclude one-time allocations
  const before = memory();
  for (let i = 0; i < campaigns; i++) learn();
  const bytes = (memory() - before) / campaigns;
  if (entries.size() !== campaigns + 10) throw new Error('Some campaigns are missing');
  return bytes;
}
