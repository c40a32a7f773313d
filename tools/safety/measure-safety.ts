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

/** The results of the safety stage for the rows of one source. */
export interface SafetyFigures {
  /** Unsafe rows, those that pass the stage, and those that also get an ad. */
  unsafe: number;
  passed: number;
  advertised: number;
  /** Rows that want an ad, and those from which the stage withholds it. */
  wanted: number;
  lost: number;
}

/** A row that wants an ad but is classified as a sensitive context. */
interface LostRow {
  id: string;
  context: string;
}

/** The slice of unsafe rows: crime, harm, and similar. */
const UNSAFE = 'neg-unsafe';

/** Returns the figures by source, and the lost rows. */
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

/** A conversation, and whether ads must be withheld. */
interface SafetyCase {
  messages: Message[];
  withhold: boolean;
  /** The kind of crisis, or of ordinary conversation. */
  kind: string;
}

/** Reads JSON lines of cases. */
export const readCases = (path: string | URL): SafetyCase[] =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** Whether the safety stage withholds ads from each case. */
export const measureCases = (
  cases: readonly SafetyCase[],
  lexicon: Lexicon,
): (SafetyCase & { isWithheld: boolean })[] =>
  cases.map((one) => ({ ...one, isWithheld: isSensitiveConversation(readConversation(one.messages, lexicon)) }));
