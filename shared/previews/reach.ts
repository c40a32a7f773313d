import type { TargetAudience } from '../campaigns/campaign.ts';
import { matchingProfileOf } from '../campaigns/matching-profile.ts';
import { ANYBODY, NO_CREATIVE } from '../campaigns/merge.ts';
import { type Lexicon, MatchIndex, type MatchingProfile, type Message, RELEVANCE_MODEL } from '../matching/index.ts';
import { extensionsOf } from './extensions.ts';
import { sampleConversations } from './sample.ts';

/** What a keyword reaches by itself, and what would reach more. */
interface KeywordReach {
  keyword: string;
  conversations: number;
  /** Longer keywords with a word of it that reach what it does not. */
  add: string[];
  hint: string | null;
}

interface Reach {
  /** In the sample. */
  conversations: number;
  /** Reached by the campaign as a whole. */
  campaign: number;
  keywords: KeywordReach[];
}

/** A keyword that reaches no more than this share of the sample reaches little. */
const LITTLE = 0.01;
/** Longer keywords that are tried for all keywords together, and shown for one. */
const MOST_TRIED = 60;
const MOST_SHOWN = 3;

/** Profiles whose reach an instance remembers: a campaign is looked at many times while it is written. */
const MOST_KEPT = 2_000;

/**
 * How many conversations of the shipped sample a campaign reaches, and each of its keywords alone. Reached means: it fits well enough to
 * bid, whoever else bids. The sample is read once; a call matches all of it with the keywords that are new as campaigns of their own.
 */
export function createReach(lexicon: Lexicon) {
  let read: { index: MatchIndex; conversations: Message[][] } | undefined;
  const known = new Map<string, ReadonlySet<Message[]>>();

  const sample = () => (read ??= { index: new MatchIndex(lexicon), conversations: sampleConversations() });

  /** Which of the conversations each profile reaches. */
  function reachedBy(profiles: readonly MatchingProfile[]): ReadonlySet<Message[]>[] {
    const { index, conversations } = sample();
    if (known.size + profiles.length > MOST_KEPT) known.clear();
    const asked = new Map(profiles.map((profile) => [JSON.stringify(profile), profile]));
    const fresh = new Map([...asked].filter(([id]) => !known.has(id)));
    const reached = new Map([...fresh.keys()].map((id) => [id, new Set<Message[]>()]));
    const options = { bid: () => 1, limit: Math.max(1, fresh.size), threshold: RELEVANCE_MODEL.threshold };
    for (const [id, profile] of fresh) index.set(id, profile, 1);
    for (const conversation of fresh.size > 0 ? conversations : [])
      for (const { id, outcome } of index.match(conversation, options).candidates)
        if (outcome === 'match') reached.get(id)!.add(conversation);
    for (const [id, found] of reached) {
      index.delete(id);
      known.set(id, found);
    }
    return profiles.map((profile) => known.get(JSON.stringify(profile))!);
  }

  return ({ keywords }: TargetAudience, whole: MatchingProfile): Reach => {
    const { conversations } = sample();
    // In the campaign's languages, which the keyword alone may not tell.
    const alone = (keyword: string): MatchingProfile => {
      const targetAudience = { ...ANYBODY, keywords: [keyword], languages: whole.l.split(' ').filter(Boolean) };
      return matchingProfileOf({ targetAudience, creative: NO_CREATIVE }, lexicon);
    };
    const profiles = keywords.map(alone);
    const [byCampaign = new Set(), ...byKeyword] = reachedBy([whole, ...profiles]);
    const others = conversations.filter((conversation) => !byCampaign.has(conversation));
    const reachesLittle = (at: number) => byKeyword[at]!.size <= LITTLE * conversations.length;
    const tried = profiles
      .flatMap((profile, at) => (reachesLittle(at) ? extensionsOf(profile, others, lexicon, at) : []))
      .slice(0, MOST_TRIED);
    const byExtension = reachedBy(tried.map(({ phrase }) => alone(phrase)));
    const better = tried
      .map((extension, at) => ({ ...extension, more: others.filter((other) => byExtension[at]!.has(other)).length }))
      .filter(({ more }) => more > 0)
      .sort((a, b) => b.more - a.more);
    return {
      conversations: conversations.length,
      campaign: byCampaign.size,
      keywords: keywords.map((keyword, at) => {
        const longer = better.filter(({ of }) => of === at).slice(0, MOST_SHOWN);
        const add = longer.map(({ phrase }) => phrase);
        const found = byKeyword[at]!.size;
        return { keyword, conversations: found, add, hint: hintFor(keyword, found, add) };
      }),
    };
  };
}

function hintFor(keyword: string, conversations: number, add: readonly string[]): string | null {
  if (add.length > 0) return `'${keyword}' alone reaches little; add ${add.map((phrase) => `'${phrase}'`).join(', ')}.`;
  return conversations === 0
    ? `'${keyword}' reaches none of the sample's conversations; say what people ask for.`
    : null;
}
