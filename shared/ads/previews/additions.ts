import type { MatchingProfile, Message } from '../../matching/index.ts';
import neighbours from './neighbours.json' with { type: 'json' };

/** Additions that are shown for one keyword, and that are tried for one and for all of them. */
const MAX_SHOWN = 3;
const MAX_TRIED = { each: 12, all: 24 };

type Conversations = ReadonlySet<Message[]>;

/**
 * Suggests related keywords for a campaign: those with which it reaches more conversations that mention them.
 *
 * @param toProfile of a campaign of this keyword, in English
 */
export function createAdditions(toProfile: (keyword: string) => MatchingProfile) {
  const getStems = (text: string) => toProfile(text).k.split(' ');
  const neighbours = groupNeighbours((keyword) => toProfile(keyword).k);

  const getCandidates = (keyword: string): string[] =>
    [...new Set(neighbours.get(toProfile(keyword).k))].slice(0, MAX_TRIED.each);

  function getGain(keyword: string, reached: Conversations, before: Conversations): Message[][] {
    // If it loses as many conversations as it gains, it makes the campaign's topic less clear.
    if (reached.size <= before.size) return [];
    const stems = getStems(keyword);
    const isSaidIn = (conversation: Message[]) => {
      const said = new Set(getStems(getUserText(conversation)));
      return stems.every((stem) => said.has(stem));
    };
    return [...reached].filter((one) => !before.has(one) && isSaidIn(one));
  }

  /** What could be added, the first ones of every keyword before the next ones of any; and of what that reaches, by keyword what to add. */
  return (keywords: readonly string[]) => {
    const candidates = keywords.map(getCandidates);
    const tried = candidates
      .flatMap((ofOne) => ofOne.map((text, place) => ({ text, place })))
      .sort((a, b) => a.place - b.place)
      .slice(0, MAX_TRIED.all)
      .map(({ text }) => text);
    const best = (before: Conversations, reached: readonly Conversations[]): string[][] => {
      const gains = new Map(tried.map((text, at) => [text, getGain(text, reached[at]!, before)]));
      return candidates.map((ofOne) => chooseBest(ofOne.map((text) => [text, gains.get(text) ?? []])));
    };
    return { tried, best };
  };
}

const getUserText = (messages: readonly Message[]): string =>
  messages.flatMap(({ role, content }) => (role === 'user' ? content : [])).join('\n');

/** The keywords with the largest gains, each with a gain that the previous ones lack. */
function chooseBest(gaining: readonly (readonly [keyword: string, gains: Message[][]])[]): string[] {
  const gained = new Set<Message[]>();
  const best: string[] = [];
  for (const [keyword, gains] of [...gaining].sort(([, a], [, b]) => b.length - a.length)) {
    if (gains.some((one) => !gained.has(one))) best.push(keyword);
    for (const one of gains) gained.add(one);
  }
  return best.slice(0, MAX_SHOWN);
}

/** Names of what is sold, each list of them by what else is asked of who sells it: its kinds and parts, and the needs for it. In English. */
const NEIGHBOURS: Readonly<Record<string, string>> = neighbours;

/** By keyword as stems, its other names and its neighbours. */
function groupNeighbours(stemsOf: (keyword: string) => string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [key, others] of Object.entries(NEIGHBOURS)) {
    const names = key.split(', ');
    const stemmed = names.map(stemsOf);
    for (const stems of new Set(stemmed)) {
      const otherNames = names.filter((_, at) => stemmed[at] !== stems);
      found.set(stems, [...(found.get(stems) ?? []), ...otherNames, ...others.split(', ')]);
    }
  }
  return found;
}
