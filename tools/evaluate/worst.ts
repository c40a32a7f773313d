import type { EvaluatedRow } from './measure.ts';

const MESSAGES = 3;
const LENGTH = 110;

/**
 * The rows to look at first, at most `count` of each: wrong bids, and rows that want an ad and got none. Those with the highest
 * relevance come first: the surest mistakes, and the nearest misses.
 */
export function findWorst(
  answered: readonly EvaluatedRow[],
  count: number,
): { wrong: EvaluatedRow[]; missed: EvaluatedRow[] } {
  const first = (rows: EvaluatedRow[]) => rows.sort((a, b) => b.score - a.score).slice(0, count);
  return {
    wrong: first(answered.filter(({ outcome }) => outcome === 'wrong')),
    missed: first(answered.filter(({ kind, outcome }) => kind === 'positive' && outcome === 'none')),
  };
}

/** The end of a conversation, each message on one line and shortened. */
export function lastMessages({ row }: EvaluatedRow): string[] {
  return row.messages.slice(-MESSAGES).map(({ role, content }) => `${role}: ${shorten(content)}`);
}

function shorten(content: string): string {
  const characters = Array.from(content.replace(/[\s\p{Cc}]+/gu, ' ').trim());
  return characters.length <= LENGTH ? characters.join('') : `${characters.slice(0, LENGTH - 1).join('')}…`;
}
