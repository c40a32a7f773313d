import type { Message } from '../../matching/index.ts';
import { type groupNeighbours, toStems } from './neighbours.ts';

/** Additions shown for one keyword. */
const MAX_SHOWN = 3;
/** Maximum candidates to try: per keyword, and for the whole campaign. */
const MAX_TRIED = { each: 12, all: 24 };

type Conversations = ReadonlySet<Message[]>;

/** Suggests related keywords that let the campaign reach more of the conversations that mention them. */
export function createAdditions(neighbours: ReturnType<typeof groupNeighbours>) {
  const getCandidates = (keyword: string): string[] =>
    [...new Set(neighbours.get(toStems(keyword).join(' ')))].slice(0, MAX_TRIED.each);

  function getGain(keyword: string, reached: Conversations, before: Conversations): Message[][] {
    // A keyword that loses as many conversations as it gains makes the campaign's topic less clear.
    if (reached.size <= before.size) return [];
    const stems = toStems(keyword);
    const mentionsKeyword = (conversation: Message[]) => {
      const userStems = new Set(toStems(getUserText(conversation)));
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
