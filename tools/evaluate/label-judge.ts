import { createHash } from 'node:crypto';
import type { Judge, JudgeQuestion } from '../../shared/platform/judge.ts';
import type { Folder } from './folder.ts';
import { scoreRow } from './score.ts';

/** Percentage of rows that it judges wrongly: it finds correct ads irrelevant or, if none is correct, the first ad welcome. */
const ERROR_PERCENT = 5;
const WELCOME = 0.9;

/** A simulated judge that knows the labels of a folder, to estimate what a good judge could achieve with the same candidates. */
export function createLabelJudge({ campaigns, rows }: Pick<Folder, 'campaigns' | 'rows'>): Judge {
  const labelsOf = new Map(campaigns.map(({ body, labels }) => [String(body.name).trim(), labels]));
  const rowOf = new Map(rows.map((row) => [turns(row.messages), row]));

  function welcome({ messages, ads }: JudgeQuestion): number[] {
    const row = rowOf.get(turns(messages));
    const right = ads.map(({ name }) => {
      const labels = labelsOf.get(name) ?? [];
      return row !== undefined && scoreRow(row, labels).outcome === 'right';
    });
    if (!hasError(messages)) return right.map((isRight) => (isRight ? WELCOME : 0));
    return right.map((_, index) => (right.includes(true) || index > 0 ? 0 : WELCOME));
  }

  return {
    async opine(question) {
      return { result: 'answered', opinion: { safe: true, welcome: welcome(question) } };
    },
    suggest: async () => ({ result: 'failed' }),
  };
}

type Turns = readonly { role: string; content: string }[];

const turns = (messages: Turns): string => JSON.stringify(messages.map(({ role, content }) => [role, content]));

/** Whether it judges a conversation wrongly. Deterministic. */
const hasError = (messages: Turns): boolean =>
  createHash('sha256').update(turns(messages)).digest().readUInt32BE() % 100 < ERROR_PERCENT;
