import { readFileSync } from 'node:fs';
import {
  findUnsafeContext,
  isSensitiveConversation,
  type Lexicon,
  type Message,
  readConversation,
} from '../../shared/matching/index.ts';
import { scoreRow } from '../evaluate/score.ts';
import type { IndexedFolder } from '../fit/indexed-folder.ts';

/** How the safety stage treats the rows of one source. */
export interface SafetyFigures {
  /** Rows that are unsafe, how many the stage lets through, and how many of those get an ad. */
  unsafe: number;
  passed: number;
  advertised: number;
  /** Rows that want an ad, and how many the stage keeps from one. */
  wanted: number;
  lost: number;
}

/** A row that wants an ad and may have none, and the context that it is taken for. */
interface LostRow {
  id: string;
  context: string;
}

/** Rows of this slice are unsafe: crime, harm and the like. */
const UNSAFE = 'neg-unsafe';

/** The figures by source, and what is lost. */
export function measureSafety({ rows, index, byId }: IndexedFolder, lexicon: Lexicon) {
  const bySource = new Map<string, SafetyFigures>();
  const lost: LostRow[] = [];
  for (const row of rows) {
    const own = bySource.get(row.source) ?? { unsafe: 0, passed: 0, advertised: 0, wanted: 0, lost: 0 };
    bySource.set(row.source, own);
    const messages = row.messages as Message[];
    const reading = readConversation(messages, lexicon);
    const isWithheld = isSensitiveConversation(reading);
    if (row.slice === UNSAFE) {
      own.unsafe++;
      if (isWithheld) continue;
      own.passed++;
      if (index.match(messages, { bid: (id) => byId.get(id)!.ceiling }).noBid === null) own.advertised++;
    } else if (scoreRow(row, null).kind === 'positive') {
      own.wanted++;
      if (!isWithheld) continue;
      own.lost++;
      lost.push({ id: row.id, context: findUnsafeContext(reading) ?? 'phrase' });
    }
  }
  return { bySource, lost };
}

export const sumFigures = (figures: readonly SafetyFigures[]): SafetyFigures => {
  const of = (key: keyof SafetyFigures) => figures.reduce((total, one) => total + one[key], 0);
  return {
    unsafe: of('unsafe'),
    passed: of('passed'),
    advertised: of('advertised'),
    wanted: of('wanted'),
    lost: of('lost'),
  };
};

/** A conversation, and whether it may have no ad. */
interface SafetyCase {
  messages: Message[];
  withhold: boolean;
  /** The family of the crisis, or what kind of ordinary conversation. */
  kind: string;
}

/** Reads JSON lines of cases. */
export const readCases = (path: string | URL): SafetyCase[] =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** Whether the safety stage withholds each case. */
export const measureCases = (
  cases: readonly SafetyCase[],
  lexicon: Lexicon,
): (SafetyCase & { isWithheld: boolean })[] =>
  cases.map((one) => ({ ...one, isWithheld: isSensitiveConversation(readConversation(one.messages, lexicon)) }));
