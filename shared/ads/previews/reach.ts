import { createHash } from 'node:crypto';
import type { Configuration } from '../../campaigns/campaign.ts';
import { EMPTY_TARGET_AUDIENCE } from '../../campaigns/campaign.ts';
import { EMPTY_CREATIVE } from '../../campaigns/creative.ts';
import { toMatchingProfile } from '../../campaigns/matching-profile.ts';
import { type Lexicon, MatchIndex, type MatchingProfile, type Message, RELEVANCE_MODEL } from '../../matching/index.ts';
import { remember } from '../../platform/values/cache.ts';
import { createAdditions } from './additions.ts';
import { getSampleConversations } from './sample.ts';

/** The reach of one keyword, with suggestions. */
interface KeywordReach {
  keyword: string;
  conversations: number;
  /** Related keywords that would extend the campaign's reach. */
  add: string[];
  hint: string | null;
}

interface Reach {
  /** In the sample. */
  conversations: number;
  /** Conversations reached by the campaign as a whole. */
  campaign: number;
  keywords: KeywordReach[];
}

let shared: ReturnType<typeof createReach> | undefined;

/** Returns the reach instance shared by all previews of a process, because it caches measurements. */
export function getReach(lexicon: Lexicon): ReturnType<typeof createReach> {
  shared ??= createReach(lexicon);
  return shared;
}

/** Measures how many conversations of the built-in sample are reached by a campaign, and by each of its keywords as a separate campaign. */
function createReach(lexicon: Lexicon) {
  let sample: ReturnType<typeof readSample> | undefined;

  function readSample() {
    const conversations = getSampleConversations();
    const findAdditions = createAdditions((keyword) => toKeywordProfile(keyword, ['en']));
    return { conversations, findAdditions, measureReach: createSampleIndex(conversations, lexicon) };
  }

  /** The profile of a campaign that has only this keyword. */
  const toKeywordProfile = (keyword: string, languages: string[]): MatchingProfile =>
    toMatchingProfile(
      { targetAudience: { ...EMPTY_TARGET_AUDIENCE, keywords: [keyword], languages }, creative: EMPTY_CREATIVE },
      lexicon,
    );

  return (campaign: Configuration, whole: MatchingProfile): Reach => {
    sample ??= readSample();
    const { conversations, findAdditions, measureReach } = sample;
    const { keywords } = campaign.targetAudience;
    // The campaign's languages, because a single keyword may not reveal its language.
    const languages = whole.l.split(' ').filter(Boolean);
    const isEnglish = languages.length === 0 || languages.includes('en');
    const alone = (keyword: string): NamedProfile => [
      `${whole.l}: ${keyword}`,
      () => toKeywordProfile(keyword, languages),
    ];
    // A hash as the cache key, because a profile may be long.
    const name = createHash('sha256').update(JSON.stringify(whole)).digest('base64');
    const together = (keyword: string): NamedProfile => [
      `${name} ${keyword}`,
      () => toMatchingProfile(withKeyword(campaign, keyword), lexicon),
    ];
    const { tried, best } = findAdditions(isEnglish ? keywords : []);
    const [all = new Set(), ...others] = measureReach([
      [name, () => whole],
      ...keywords.map(alone),
      ...tried.map(together),
    ]);
    const byKeyword = others.slice(0, keywords.length);
    const additions = best(all, others.slice(keywords.length));
    return {
      conversations: conversations.length,
      campaign: all.size,
      keywords: keywords.map((keyword, at) => {
        const found = byKeyword[at]!.size;
        const add = additions[at] ?? [];
        const hasTopic = () => toKeywordProfile(keyword, languages).t.length > 0;
        return { keyword, conversations: found, add, hint: getHint(keyword, found, add, hasTopic) };
      }),
    };
  };
}

const withKeyword = ({ targetAudience, creative }: Configuration, keyword: string) => ({
  targetAudience: { ...targetAudience, keywords: [...targetAudience.keywords, keyword] },
  creative,
});

/** Suggests how to improve a keyword that misses conversations, or null. */
function getHint(keyword: string, found: number, add: readonly string[], hasTopic: () => boolean): string | null {
  if (add.length > 0) return `'${keyword}' alone misses conversations; add ${quoted(add)}.`;
  if (found > 0 || hasTopic()) return null;
  return `'${keyword}' matches none of the sample's conversations. It belongs to no known topic, so it only matches word for word.`;
}

const quoted = (phrases: readonly string[]): string => phrases.map((phrase) => `'${phrase}'`).join(', ');

/** The conversations that a campaign fits. */
type Reached = Set<Message[]>;

/** A unique name for a campaign, and a function that creates its profile if its reach is not cached. */
type NamedProfile = readonly [name: string, make: () => MatchingProfile];

/** Cached reaches: the desk previews a campaign many times while it is edited. */
const MAX_REMEMBERED = 2_000;

/** Measures which conversations each campaign matches well enough to bid. Matches all uncached campaigns in one pass. */
function createSampleIndex(conversations: readonly Message[][], lexicon: Lexicon) {
  const index = new MatchIndex(lexicon);
  const known = new Map<string, Reached>();

  return (campaigns: readonly NamedProfile[]): Reached[] => {
    const found = new Map(campaigns.map(([name]) => [name, known.get(name) ?? new Set<Message[]>()]));
    const fresh = new Map(campaigns.filter(([name]) => !known.has(name)));
    for (const [name, make] of fresh) index.set(name, make(), 1);
    const options = {
      bid: () => 1,
      limit: Math.max(1, fresh.size),
      threshold: RELEVANCE_MODEL.thresholds.balanced,
      relativeThreshold: 0,
    };
    for (const conversation of fresh.size > 0 ? conversations : [])
      for (const { id, outcome } of index.match(conversation, options).candidates)
        if (outcome === 'match') found.get(id)!.add(conversation);
    for (const name of fresh.keys()) {
      index.delete(name);
      remember(known, name, found.get(name)!, MAX_REMEMBERED);
    }
    return campaigns.map(([name]) => found.get(name)!);
  };
}
