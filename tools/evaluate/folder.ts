import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import { toError } from '../../shared/platform/values/typed.ts';
import { EvaluationError } from './options.ts';

/** A campaign of the folder: the body of a create request, plus an id and labels for scoring. */
const campaign = z
  .looseObject({ id: z.string().min(1), labels: z.array(z.string()) })
  .transform(({ id, labels, ...body }: { id: string; labels: string[]; [field: string]: unknown }) => ({
    id,
    labels,
    body,
  }));

/** Validates only what scoring needs; the service validates the conversation. */
const row = z.object({
  id: z.string('id is missing').min(1, 'id is empty'),
  source: z.string().default('-'),
  slice: z.string().default('-'),
  countryCode: z.unknown(),
  messages: z
    .array(z.object({ role: z.string(), content: z.string() }), 'messages are missing')
    .min(1, 'it has no messages'),
  gold: z.array(z.string(), 'gold must be a list of labels'),
  optional: z.boolean().default(false),
});

export type FolderCampaign = z.output<typeof campaign>;
/** A conversation and its gold labels. A campaign is correct if it has one of them; without labels, no campaign is. */
export type LabeledRow = z.output<typeof row> & { line: number };

/** A campaign that the service rejects. */
export interface RefusedCampaign {
  campaign: FolderCampaign;
  reason: string;
}

/** A row that is invalid or got no response. */
export interface RowError {
  line: number;
  id?: string;
  reason: string;
}

export interface Folder {
  campaigns: FolderCampaign[];
  rows: LabeledRow[];
  badRows: RowError[];
}

/** Reads a folder; invalid rows are listed in `badRows`. @throws EvaluationError if there is nothing to evaluate */
export async function readFolder(path: string, limit: number): Promise<Folder> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) throw new EvaluationError(`${path} is not a folder`);
  const campaigns = await readCampaigns(join(path, 'campaigns.json'));
  const file = join(path, 'conversations.jsonl');
  const { rows, badRows } = await readRows(file, limit).catch((error) => {
    throw new EvaluationError(`${file} cannot be read: ${error.message}`);
  });
  if (rows.length === 0)
    throw new EvaluationError(`${file} has no valid row${badRows[0] ? `: ${formatRowError(badRows[0])}` : ''}`);
  return { campaigns, rows, badRows };
}

/** Formats an error with its location. */
export const formatRowError = ({ line, id, reason }: RowError): string =>
  `line ${line}${id ? ` (${id})` : ''}: ${reason}`;

async function readCampaigns(file: string): Promise<FolderCampaign[]> {
  let given: unknown;
  try {
    given = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new EvaluationError(`${file} cannot be read: ${toError(error).message}`);
  }
  const result = z.array(campaign).min(1, 'it has no campaigns').safeParse(given);
  if (!result.success) throw new EvaluationError(`${file} cannot be used: ${firstIssue(result.error)}`);
  const ids = new Set<string>();
  for (const { id } of result.data) {
    if (ids.has(id)) throw new EvaluationError(`${file} cannot be used: two campaigns have the id ${id}`);
    ids.add(id);
  }
  return result.data;
}

async function readRows(file: string, limit: number): Promise<Pick<Folder, 'rows' | 'badRows'>> {
  const rows: LabeledRow[] = [];
  const badRows: RowError[] = [];
  const lineOf = new Map<string, number>();
  let line = 0;
  for await (const text of createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity })) {
    line++;
    if (text.trim() === '') continue;
    if (rows.length + badRows.length >= limit) break;
    const read = readRow(text);
    const before = 'row' in read ? lineOf.get(read.row.id) : undefined;
    if ('reason' in read) badRows.push({ line, reason: read.reason });
    else if (before) badRows.push({ line, id: read.row.id, reason: `line ${before} has the same id` });
    else {
      rows.push({ ...read.row, line });
      lineOf.set(read.row.id, line);
    }
  }
  return { rows, badRows };
}

function readRow(text: string): { row: z.output<typeof row> } | { reason: string } {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return { reason: 'it is not JSON' };
  }
  const result = row.safeParse(given);
  return result.success ? { row: result.data } : { reason: firstIssue(result.error) };
}

function firstIssue(error: z.ZodError): string {
  const { path, message } = error.issues[0]!;
  return path.length > 0 ? `${path.join('.')}: ${message}` : message;
}
