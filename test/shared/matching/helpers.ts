import { getLexicon as load } from '../../../shared/ads/catalog/lexicon.ts';
import {
  type Audience,
  buildMatchingProfile,
  MatchIndex,
  type MatchResult,
  type Message,
} from '../../../shared/matching/index.ts';

export const testLexicon = load();

/** An audience with only these keywords, by default. */
export function audience(keywords: string[], more: Partial<Audience> = {}): Audience {
  return {
    keywords,
    excludedKeywords: [],
    interests: [],
    categories: [],
    headline: '',
    description: '',
    callToAction: '',
    languages: [],
    ...more,
  };
}

/** A small market of different campaigns, all at the same price. */
export const MARKET: Record<string, Audience> = {
  flights: audience(['cheap flights', 'airfare', 'airline tickets']),
  hotels: audience(['hotel booking', 'cheap hotels', 'hotel deals']),
  trains: audience(['train tickets', 'rail travel']),
  restaurants: audience(['restaurant reservations', 'book a table', 'places to eat']),
  shoes: audience(['running shoes', 'trail shoes', 'sneakers']),
  pets: audience(['dog food', 'pet supplies']),
  banking: audience(['checking account', 'online banking', 'savings account']),
  therapy: audience(['online therapy', 'counseling', 'anxiety help']),
  knives: audience(['kitchen knives', 'chef knife'], { excludedKeywords: ['gift card'] }),
  streaming: audience(['movie streaming', 'watch movies online', 'films on demand']),
};

export function open(market: Record<string, Audience>, ceiling = 1_000_000): MatchIndex {
  const index = new MatchIndex(testLexicon);
  for (const [id, words] of Object.entries(market)) index.set(id, buildMatchingProfile(words, testLexicon), ceiling);
  return index;
}

const market = open(MARKET);
const bid = () => 1_000_000;

/** Alternating messages, starting with the user. */
export function talk(...contents: string[]): Message[] {
  return contents.map((content, i) => ({ role: i % 2 === 0 ? 'user' : 'assistant', content }));
}

export function verdict(...contents: string[]): MatchResult {
  return market.match(talk(...contents), { bid, debug: true });
}

/** The winner's id, or the reason why there is none. */
export function winner(...contents: string[]): string | null {
  const { noBid, candidates } = verdict(...contents);
  return noBid ?? candidates[0]!.id;
}
