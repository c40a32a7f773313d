import type { Configuration } from '../campaigns/campaign.ts';
import { matchingProfileOf } from '../campaigns/matching-profile.ts';
import { ANYBODY, NO_CREATIVE } from '../campaigns/merge.ts';
import type { Lexicon, MatchingProfile, Message } from '../matching/index.ts';
import { beside, nearest, saidPhrases } from './said-phrases.ts';
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
const MOST_TRIED = { each: 8, beside: 8, all: 60, withCampaign: 24 };
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
    const profiles = keywords.map((keyword) => profileOf(keyword, languages));
    const besideOf = (keyword: string, at: number) => beside(keyword, profiles[at]!, phrases, byKeyword[at]!, lexicon);
    /** The nearest first, then what is said beside it. */
    const triedFor = (keyword: string, at: number) => [
      ...new Set([
        ...nearest(keyword, profiles[at]!, phrases, lexicon).slice(0, MOST_TRIED.each),
        ...besideOf(keyword, at)
          .filter(({ isOfItsSubject }) => isOfItsSubject)
          .map(({ text }) => text)
          .slice(0, MOST_TRIED.beside),
      ]),
    ];
    // The nearest of every keyword come before the next ones of any.
    const tried = keywords
      .flatMap((keyword, of) =>
        reachesLittle(of) ? triedFor(keyword, of).map((phrase, place) => ({ phrase, of, place })) : [],
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
        if (!reachesLittle(at)) return { keyword, conversations: found, add, hint: null };
        const known = { topic: topicOf(profiles[at]!, lexicon), beside: besideOf(keyword, at).slice(0, MOST_SHOWN) };
        const hint = hintFor(keyword, found, add, known);
        return { keyword, conversations: found, add, hint };
      }),
    };
  };
}

const withKeyword = ({ targetAudience, creative }: Configuration, keyword: string) => ({
  targetAudience: { ...targetAudience, keywords: [...targetAudience.keywords, keyword] },
  creative,
});

/** The name of what a keyword is about first; undefined where the lexicon knows nothing of it. */
const topicOf = ({ t }: MatchingProfile, { topics }: Lexicon): string | undefined =>
  topics[t[0] ?? -1]?.split(' > ').at(-1);

interface Known {
  topic: string | undefined;
  beside: readonly { text: string }[];
}

/** What is true of any keyword: what reaches more where that is known, else what it is read as, and beside what it is said. */
function hintFor(keyword: string, found: number, add: readonly string[], { topic, beside: said }: Known): string {
  if (add.length > 0) return `'${keyword}' alone reaches little; add ${quoted(add)}.`;
  const reaches = found === 0 ? "reaches none of the sample's conversations" : 'alone reaches little';
  const readAs = topic
    ? `It is read as ${topic}.`
    : 'No topic is known for it, so it is found where it is said word for word.';
  const others =
    said.length > 0
      ? `People whom it reaches also speak of ${quoted(said.map(({ text }) => text))}.`
      : 'Add what people ask for.';
  return `'${keyword}' ${reaches}. ${readAs} ${others}`;
}

const quoted = (phrases: readonly string[]): string => phrases.map((phrase) => `'${phrase}'`).join(', ');
