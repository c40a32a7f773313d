import type { EvaluatedRow } from './measure.ts';

const MESSAGES = 3;
const LENGTH = 110;

/** At most `count` wrong bids and `count` missed rows (positive rows without a bid), highest relevance first. */
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

/** The last messages of a conversation, each shortened to one line. */
export function lastMessages({ row }: EvaluatedRow): string[] {
  return row.messages.slice(-MESSAGES).map(({ role, content }) => `${role}: ${shorten(content)}`);
}

function shorten(content: string): string {
  const characters = Array.from(content.replace(/[\s\p{Cc}]+/gu, ' ').trim());
  return characters.length <= LENGTH ? characters.join('') : `${characters.slice(0, LENGTH - 1).join('')}…`;
}
