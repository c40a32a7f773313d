import type { MatchingProfile, Message } from '../../matching/index.ts';
import neighbours from './neighbours.json' with { type: 'json' };

/** Additions shown for one keyword. */
const MAX_SHOWN = 3;
/** Maximum candidates to try: per keyword, and for the whole campaign. */
const MAX_TRIED = { each: 12, all: 24 };

type Conversations = ReadonlySet<Message[]>;

/**
 * Suggests related keywords that let the campaign reach more of the conversations that mention them. *
 * @param toProfile returns the profile of an English campaign that has only this keyword
 */
export function createAdditions(toProfile: (keyword: string) => MatchingProfile) {
  const getStems = (text: string) => toProfile(text).k.split(' ');
  const neighbours = groupNeighbours((keyword) => toProfile(keyword).k);

  const getCandidates = (keyword: string): string[] =>
    [...new Set(neighbours.get(toProfile(keyword).k))].slice(0, MAX_TRIED.each);

  function getGain(keyword: string, reached: Conversations, before: Conversations): Message[][] {
    // A keyword that loses as many conversations as it gains makes the campaign's topic less clear.
    if (reached.size <= before.size) return [];
    const stems = getStems(keyword);
    const mentionsKeyword = (conversation: Message[]) => {
      const userStems = new Set(getStems(getUserText(conversation)));
      return stems.every((stem) => userStems.has(stem));
    };
    return [...reached].filter((conversation) => !before.has(conversation) && mentionsKeyword(conversation));
  }

  /**
   * Returns the candidates to try: the first of every keyword, then the second, and so on. `best` chooses the additions for each keyword
   * from the conversations that each candidate reaches.
   */
  return (keywords: readonly string[]) => {
    const candidates = keywords.map(getCandidates);
    const tried = candidates
      .flatMap((texts) => texts.map((text, place) => ({ text, place })))
      .sort((a, b) => a.place - b.place)
      .slice(0, MAX_TRIED.all)
      .map(({ text }) => text);
    const best = (before: Conversations, reached: readonly Conversations[]): string[][] => {
      const gains = new Map(tried.map((text, at) => [text, getGain(text, reached[at]!, before)]));
      return candidates.map((texts) => chooseBest(texts.map((text) => [text, gains.get(text) ?? []])));
    };
    return { tried, best };
  };
}

const getUserText = (messages: readonly Message[]): string =>
  messages.flatMap(({ role, content }) => (role === 'user' ? content : [])).join('\n');

/** The keywords with the largest gains. Each gains a conversation that the previous ones do not. */
function chooseBest(gaining: readonly (readonly [keyword: string, gains: Message[][]])[]): string[] {
  const gained = new Set<Message[]>();
  const best: string[] = [];
  for (const [keyword, gains] of [...gaining].sort(([, a], [, b]) => b.length - a.length)) {
    if (gains.some((one) => !gained.has(one))) best.push(keyword);
    for (const one of gains) gained.add(one);
  }
  return best.slice(0, MAX_SHOWN);
}

/** Related English terms, by product names (comma-separated): kinds, parts, and needs that the product serves. */
const NEIGHBOURS: Readonly<Record<string, string>> = neighbours;

/** Groups other names and neighbours by the stems of a keyword. */
function groupNeighbours(toStems: (keyword: string) => string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [key, others] of Object.entries(NEIGHBOURS)) {
    const names = key.split(', ');
    const stemmed = names.map(toStems);
    for (const stems of new Set(stemmed)) {
      const otherNames = names.filter((_, at) => stemmed[at] !== stems);
      found.set(stems, [...(found.get(stems) ?? []), ...otherNames, ...others.split(', ')]);
    }
  }
  return found;
}
