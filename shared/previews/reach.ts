import type { Configuration } from '../campaigns/campaign.ts';
import { matchingProfileOf } from '../campaigns/matching-profile.ts';
import { ANYBODY, NO_CREATIVE } from '../campaigns/merge.ts';
import type { Lexicon, MatchingProfile, Message } from '../matching/index.ts';
import { kinOf, type SaidPhrase, saidPhrases } from './said-phrases.ts';
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

/** Additions that are shown for one keyword, and that are tried for one and for all of them. */
const MOST_SHOWN = 3;
const MOST_TRIED = { each: 12, all: 24 };

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
    const looked = keywords.map((keyword, at) => {
      const profile = profileOf(keyword, languages);
      const kin = kinOf(keyword, profile, phrases);
      // A hint is the better the more conversations of the keyword's own topic it gains; those of other topics do not count.
      const ofItsTopic = new Set(kin.flatMap((phrase) => [...phrase.conversations]));
      const missed = new Set([...ofItsTopic].filter((conversation) => !all.has(conversation)));
      const found = byKeyword[at]!.size;
      return {
        keyword,
        found,
        missed,
        hasTopic: profile.t.length > 0,
        tried: missed.size > found ? saying(kin, missed) : [],
      };
    });
    // Those of every keyword that say the most come before the next ones of any; all are tried in one reading of the sample.
    const tried = looked
      .flatMap((one) => one.tried.map((text, place) => ({ text, place })))
      .sort((a, b) => a.place - b.place)
      .slice(0, MOST_TRIED.all)
      .map(({ text }) => text);
    const reached = reachedBy(tried.map(together));
    // What a campaign is about on the whole may be less clear with a word more.
    const better = tried.map((text, at) => ({ text, by: reached[at]! })).filter(({ by }) => by.size > all.size);
    return {
      conversations: conversations.length,
      campaign: all.size,
      keywords: looked.map(({ keyword, found, missed, hasTopic, tried: ofIt }) => {
        const gaining = better
          .filter(({ text }) => ofIt.includes(text))
          .map(({ text, by }) => ({ text, gains: [...by].filter((one) => missed.has(one)).length }))
          .filter(({ gains }) => gains > 0)
          .sort((a, b) => b.gains - a.gains);
        const add = [...new Set(gaining.map(({ text }) => text))].slice(0, MOST_SHOWN);
        return { keyword, conversations: found, add, hint: hintFor(keyword, found, add, hasTopic) };
      }),
    };
  };
}

/** The phrases that are said in most of these conversations. */
const saying = (phrases: readonly SaidPhrase[], conversations: ReadonlySet<Message[]>): string[] =>
  phrases
    .map(({ text, conversations: said }) => ({ text, says: [...said].filter((one) => conversations.has(one)).length }))
    .filter(({ says }) => says > 0)
    .sort((a, b) => b.says - a.says)
    .slice(0, MOST_TRIED.each)
    .map(({ text }) => text);

const withKeyword = ({ targetAudience, creative }: Configuration, keyword: string) => ({
  targetAudience: { ...targetAudience, keywords: [...targetAudience.keywords, keyword] },
  creative,
});

/** What can be done about a keyword: others to add, or where none is known for it, what it is found by. */
function hintFor(keyword: string, found: number, add: readonly string[], hasTopic: boolean): string | null {
  if (add.length > 0) return `'${keyword}' misses much of its topic; add ${quoted(add)}.`;
  if (hasTopic || found > 0) return null;
  return `'${keyword}' reaches none of the sample's conversations. No topic is known for it, so it is found where it is said word for word.`;
}

const quoted = (phrases: readonly string[]): string => phrases.map((phrase) => `'${phrase}'`).join(', ');
