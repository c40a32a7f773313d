import { parseArgs } from 'node:util';
import type { AdStrictness } from '../../shared/matching/index.ts';
import { AD_STRICTNESS } from '../../shared/platform/values/ad-strictness.ts';
import { toError } from '../../shared/platform/values/typed.ts';

/** The evaluation cannot start or continue. The message is one line for the user of the command. */
export class EvaluationError extends Error {}

export interface EvaluateOptions {
  /** Each holds campaigns.json and conversations.jsonl. */
  folders: readonly string[];
  /** Base URL of a running service, without a trailing slash; undefined to start one for this run. */
  url: string | undefined;
  /** Output file with one `{id, campaignId, score}` line per row. */
  out: string | undefined;
  /** The judge of the service that this run starts: a configured model, or a simulated one that knows the labels. */
  judge: (typeof JUDGES)[number] | undefined;
  /** Strictness of the keys that bid. */
  strictness: AdStrictness;
  /** Maximum number of rows to read from a folder. */
  limit: number;
  /** Number of wrong bids and of missed rows to list. */
  errors: number;
}

const USAGE =
  'npm run evaluate -- <folder> [<folder> …] [--url http://localhost:3000] [--out predictions.jsonl] [--judge openai|bedrock|labels] [--strictness strict|balanced|open] [--limit N] [--errors N]';

const JUDGES = ['openai', 'bedrock', 'labels'] as const;

/** Reads the command line. @throws EvaluationError with the invalid argument and its allowed values */
export function readOptions(args: readonly string[]): EvaluateOptions {
  const { values, positionals: folders } = parse(args);
  if (folders.length === 0) throw new EvaluationError(`Name a folder: ${USAGE}`);
  return {
    folders,
    url: values.url === undefined ? undefined : parseUrl(values.url),
    out: values.out,
    judge: parseJudge(values.judge, values.url),
    strictness: parseStrictness(values.strictness ?? 'balanced'),
    limit: values.limit === undefined ? Number.POSITIVE_INFINITY : parseCount('limit', values.limit),
    errors: values.errors === undefined ? 0 : parseCount('errors', values.errors),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        url: { type: 'string' },
        out: { type: 'string' },
        judge: { type: 'string' },
        strictness: { type: 'string' },
        limit: { type: 'string' },
        errors: { type: 'string' },
      },
    });
  } catch (error) {
    throw new EvaluationError(`${toError(error).message.split('. ')[0]}. Usage: ${USAGE}`);
  }
}

function parseJudge(given: string | undefined, url: string | undefined): EvaluateOptions['judge'] {
  if (given === undefined) return undefined;
  if (url !== undefined)
    throw new EvaluationError(
      '--judge applies only to a service that this command starts, so it cannot be combined with --url',
    );
  const judge = JUDGES.find((one) => one === given);
  if (!judge) throw new EvaluationError(`--judge ${given}: must be openai, bedrock, or labels`);
  return judge;
}

function parseStrictness(given: string): AdStrictness {
  const level = AD_STRICTNESS.find((one) => one === given);
  if (!level) throw new EvaluationError(`--strictness ${given}: must be strict, balanced, or open`);
  return level;
}

function parseUrl(given: string): string {
  const url = URL.parse(given);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new EvaluationError(`--url ${given}: must be an http(s) address such as http://localhost:3000`);
  }
  return url.href.replace(/\/+$/, '');
}

function parseCount(name: string, given: string): number {
  if (!/^[1-9]\d{0,8}$/.test(given)) throw new EvaluationError(`--${name} ${given}: must be a whole number from 1`);
  return Number(given);
}
