import { createHash } from 'node:crypto';
import type { Configuration } from '../../campaigns/campaign.ts';
import { EMPTY_TARGET_AUDIENCE } from '../../campaigns/campaign.ts';
import { EMPTY_CREATIVE } from '../../campaigns/creative.ts';
import { toMatchingProfile } from '../../campaigns/matching-profile.ts';
import { type Lexicon, MatchIndex, type MatchingProfile, type Message, RELEVANCE_MODEL } from '../../matching/index.ts';
import { remember } from '../../platform/values/cache.ts';
import { createAdditions } from './additions.ts';
import { groupNeighbours } from './neighbours.ts';
import { getSampleConversations } from './sample.ts';
import { createSuggestions, type Suggestion } from './suggestions.ts';

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
  /** Keywords that the campaign does not have, the most useful first. */
  suggestions: Suggestion[];
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
  const topicsKnown = new Map<string, boolean>();

  function readSample() {
    const conversations = getSampleConversations();
    const neighbours = groupNeighbours();
    return {
      conversations,
      findAdditions: createAdditions(neighbours),
      suggestions: createSuggestions(lexicon, neighbours, (keyword) => toKeywordProfile(keyword, ['en'])),
      measureReach: createSampleIndex(conversations, lexicon),
    };
  }

  /** The profile of a campaign that has only this keyword. */
  const toKeywordProfile = (keyword: string, languages: string[]): MatchingProfile =>
    toMatchingProfile(
      { targetAudience: { ...EMPTY_TARGET_AUDIENCE, keywords: [keyword], languages }, creative: EMPTY_CREATIVE },
      lexicon,
    );

  /** Whether a keyword has a topic. Remembered, because a campaign may have 200 keywords. */
  function hasTopic([name, make]: NamedProfile): boolean {
    const found = topicsKnown.get(name) ?? make().t.length > 0;
    remember(topicsKnown, name, found, MAX_REMEMBERED);
    return found;
  }

  return (campaign: Configuration, whole: MatchingProfile): Reach => {
    sample ??= readSample();
    const { conversations, findAdditions, suggestions, measureReach } = sample;
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
    const phrases = isEnglish ? suggestions.find(campaign) : [];
    const [all = new Set(), ...others] = measureReach([
      [name, () => whole],
      ...keywords.map(alone),
      ...phrases.map(({ text }) => alone(text)),
      ...tried.map(together),
    ]);
    const byKeyword = others.splice(0, keywords.length);
    const byPhrase = others.splice(0, phrases.length);
    const additions = best(all, others);
    return {
      conversations: conversations.length,
      campaign: all.size,
      keywords: keywords.map((keyword, at) => {
        const found = byKeyword[at]!.size;
        const add = additions[at] ?? [];
        return { keyword, conversations: found, add, hint: getHint(add, hasTopic(alone(keyword))) };
      }),
      suggestions: suggestions.rank(
        phrases,
        byPhrase.map(({ size }) => size),
      ),
    };
  };
}

const withKeyword = ({ targetAudience, creative }: Configuration, keyword: string) => ({
  targetAudience: { ...targetAudience, keywords: [...targetAudience.keywords, keyword] },
  creative,
});

/** What to do about a keyword, or null. */
function getHint(add: readonly string[], hasTopic: boolean): string | null {
  if (!hasTopic) return 'We know no topic for this keyword, so it only matches conversations with the same words.';
  return add.length > 0 ? `Add ${quoted(add)} to reach more conversations.` : null;
}

const orList = new Intl.ListFormat('en', { type: 'disjunction' });
const quoted = (phrases: readonly string[]): string => orList.format(phrases.map((phrase) => `“${phrase}”`));

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
