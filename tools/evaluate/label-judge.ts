import { createHash } from 'node:crypto';
import type { Judge, JudgeQuestion } from '../../shared/platform/judge.ts';
import type { Folder } from './folder.ts';
import { scoreRow } from './score.ts';

/** Rows of a hundred that it judges wrongly: it takes what fits for nothing, and where nothing fits the first ad for welcome. */
const ERROR_PERCENT = 5;
const WELCOME = 0.9;

/** A stand-in for a judge that knows a folder's labels: what a good one could make of the candidates that it is shown. */
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

/** Whether it judges a conversation wrongly; always the same ones. */
const hasError = (messages: Turns): boolean =>
  createHash('sha256').update(turns(messages)).digest().readUInt32BE() % 100 < ERROR_PERCENT;
