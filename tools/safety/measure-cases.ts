import { readFileSync } from 'node:fs';
import { isSensitiveConversation, type Lexicon, type Message, readConversation } from '../../shared/matching/index.ts';

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
