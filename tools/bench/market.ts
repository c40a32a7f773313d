import { readPhrasebook } from '../../infra/lexicon/phrasebook.ts';
import type { Audience, Message } from '../../shared/matching/index.ts';
import { generator } from '../random.ts';

export interface BenchMarket {
  campaigns: { id: string; audience: Audience; ceiling: number }[];
  vocabulary: string[];
  random: () => number;
}

/** Creates campaigns with keywords of one to three words, 5 by default. Words follow Zipf's distribution. */
export function generateMarket(size: number, { seed = 1, keywords = 5 } = {}): BenchMarket {
  const random = generator(seed);
  const vocabulary = words(random);
  const word = () => vocabulary[zipf(vocabulary.length, random)]!;
  const keyword = () => Array.from({ length: 1 + Math.floor(3 * random()) }, word).join(' ');
  const campaigns = Array.from({ length: size }, (_, i) => ({
    id: `campaign-${i.toString(16).padStart(12, '0')}`,
    audience: {
      keywords: Array.from({ length: keywords }, keyword),
      excludedKeywords: i % 10 === 0 ? [word()] : [],
      interests: [],
      categories: [],
      headline: '',
      description: '',
      callToAction: '',
      languages: [],
    },
    ceiling: 1_000 * Math.floor(100 + 9_900 * random()),
  }));
  return { campaigns, vocabulary, random };
}

/**
 * A conversation of about `length` characters in messages of about 20 words, from the market's words. Skips messages that `isGood`
 * rejects.
 */
export function generateConversation(
  { vocabulary, random }: BenchMarket,
  length: number,
  isGood: (messages: Message[]) => boolean = () => true,
): Message[] {
  const messages: Message[] = [];
  for (let written = 0; written < length; ) {
    const content = Array.from({ length: 20 }, () => vocabulary[zipf(vocabulary.length, random)]!).join(' ');
    messages.push({ role: messages.length % 2 ? 'assistant' : 'user', content });
    if (isGood(messages)) written += content.length + 1;
    else messages.pop();
  }
  return messages;
}

/** 20,000 words: the lexicon's topic words, common English first, then made-up words. */
function words(random: () => number): string[] {
  const { bands, topics } = readPhrasebook();
  const known = new Set(bands.join(' ').split(' '));
  for (const { names, want, words } of topics.filter((topic) => !topic.path.startsWith('_')))
    for (const stem of `${names}|${want}|${words}`.split(/[ |]/)) if (stem) known.add(stem);
  while (known.size < 20_000)
    known.add(
      Array.from(
        { length: 3 },
        () => 'bdfgklmnprstvz'[Math.floor(14 * random())]! + 'aeiou'[Math.floor(5 * random())]!,
      ).join(''),
    );
  return [...known].slice(0, 20_000);
}

/** Draws a rank below `n` by Zipf's law with exponent 1, by inverting the logarithm that approximates harmonic numbers. */
function zipf(n: number, random: () => number): number {
  return Math.min(n - 1, Math.floor(Math.exp(random() * Math.log(n + 1))) - 1);
}
