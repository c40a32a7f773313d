import type { Configuration } from '../campaigns/campaign.ts';
import { matchingProfileOf } from '../campaigns/matching-profile.ts';
import { ANYBODY, NO_CREATIVE } from '../campaigns/merge.ts';
import type { Lexicon, MatchingProfile, Message } from '../matching/index.ts';
import { nearest, saidPhrases } from './said-phrases.ts';
import { sampleConversations } from './sample.ts';
import { type Asked, sampleIndex } from './sample-index.ts';

/** What a keyword reaches by itself, and what would reach more. */
interface KeywordReach {
  keyword: string;
  conversations: number;
  /** Others near it with which the campaign reaches more. */
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
/** Others that are tried for one keyword and for all of them; that are tried with the campaign; and that are shown for one keyword. */
const MOST_TRIED = { each: 8, all: 60, withCampaign: 24 };
const MOST_SHOWN = 3;

/**
 * How many conversations of the shipped sample a campaign reaches, and each of its keywords alone as a campaign of its own. The sample is
 * read for phrases once.
 */
export function createReach(lexicon: Lexicon) {
  let read: ReturnType<typeof readSample> | undefined;

  function readSample() {
    const conversations = sampleConversations();
    const phrases = saidPhrases(conversations, lexicon, (keyword) => profileOf(keyword, ['en']));
    return { conversations, phrases, reachedBy: sampleIndex(conversations, lexicon) };
  }

  /** Of a campaign that has this keyword alone. */
  const profileOf = (keyword: string, languages: string[]): MatchingProfile =>
    matchingProfileOf(
      { targetAudience: { ...ANYBODY, keywords: [keyword], languages }, creative: NO_CREATIVE },
      lexicon,
    );

  return (campaign: Configuration, whole: MatchingProfile): Reach => {
    read ??= readSample();
    const { conversations, phrases, reachedBy } = read;
    const { keywords } = campaign.targetAudience;
    // In the campaign's languages, which the keyword alone may not tell.
    const languages = whole.l.split(' ').filter(Boolean);
    const alone = (keyword: string): Asked => [`${whole.l}: ${keyword}`, () => profileOf(keyword, languages)];
    const name = JSON.stringify(whole);
    const together = (keyword: string): Asked => [
      `${name} ${keyword}`,
      () => matchingProfileOf(withKeyword(campaign, keyword), lexicon),
    ];
    const [all = new Set(), ...byKeyword] = reachedBy([[name, () => whole], ...keywords.map(alone)]);
    const reachesLittle = (at: number) => byKeyword[at]!.size <= LITTLE * conversations.length;
    const nearestOf = (keyword: string) => nearest(keyword, profileOf(keyword, languages), phrases, lexicon);
    // The nearest of every keyword come before the next ones of any.
    const tried = keywords
      .flatMap((keyword, of) =>
        reachesLittle(of)
          ? nearestOf(keyword)
              .slice(0, MOST_TRIED.each)
              .map((phrase, place) => ({ phrase, of, place }))
          : [],
      )
      .sort((a, b) => a.place - b.place)
      .slice(0, MOST_TRIED.all);
    const byTried = reachedBy(tried.map(({ phrase }) => alone(phrase)));
    const isNew = (conversation: Message[]) => !all.has(conversation);
    const better = tried.filter((_, at) => [...byTried[at]!].some(isNew)).slice(0, MOST_TRIED.withCampaign);
    // What a campaign is about on the whole may be less clear with a word more.
    const byLonger = reachedBy(better.map(({ phrase }) => together(phrase)));
    const best = better.filter((_, at) => byLonger[at]!.size > all.size);
    return {
      conversations: conversations.length,
      campaign: all.size,
      keywords: keywords.map((keyword, at) => {
        const ofIt = best.filter(({ of }) => of === at).slice(0, MOST_SHOWN);
        const add = ofIt.map(({ phrase }) => phrase);
        const found = byKeyword[at]!.size;
        return { keyword, conversations: found, add, hint: reachesLittle(at) ? hintFor(keyword, found, add) : null };
      }),
    };
  };
}

const withKeyword = ({ targetAudience, creative }: Configuration, keyword: string) => ({
  targetAudience: { ...targetAudience, keywords: [...targetAudience.keywords, keyword] },
  creative,
});

function hintFor(keyword: string, conversations: number, add: readonly string[]): string {
  if (add.length > 0) return `'${keyword}' alone reaches little; add ${add.map((phrase) => `'${phrase}'`).join(', ')}.`;
  return conversations === 0
    ? `'${keyword}' reaches none of the sample's conversations; say what people ask for.`
    : `'${keyword}' alone reaches little.`;
}
