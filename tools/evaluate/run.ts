import { closeSync, openSync, writeSync } from 'node:fs';
import { toError } from '../../shared/platform/values/typed.ts';
import { createEvaluateClient, type Pause } from './client.ts';
import { type Folder, formatRowError, type RefusedCampaign, readFolder } from './folder.ts';
import { createLabelJudge } from './label-judge.ts';
import { createMarket } from './market.ts';
import { type Bidder, type EvaluatedRow, type EvaluationResult, measure } from './measure.ts';
import { type EvaluateOptions, EvaluationError, readOptions } from './options.ts';
import { BID_RATE, createKeyRotation } from './pace.ts';
import { createProgress } from './progress.ts';
import { report } from './report.ts';

/** Enough that rate limits do not slow down the run: 40 keys allow 600 bids per second. */
const MAX_KEYS = 40;
/** Enough to keep two cores busy. With more, requests would wait for each other and inflate latencies. */
const CONCURRENCY = 4;
/** A new campaign reaches bidding within the service's CAMPAIGN_REFRESH_SECONDS: 1 in the cloud and here. */
const SETTLE_MS = 1_500;
const INTERRUPTED = 130;

/** The environment of a run: output, errors, interruption, and waiting. */
interface Environment {
  terminal: Pick<Console, 'log' | 'error'>;
  interrupt: AbortSignal;
  pause: Pause;
}

/** Evaluates bidding on labeled conversations. @returns the exit status */
export async function evaluate(args: readonly string[], around: Environment): Promise<number> {
  try {
    return await evaluateFolders(readOptions(args), around);
  } catch (error) {
    around.terminal.error(error instanceof EvaluationError ? error.message : error);
    return error instanceof EvaluationError ? 2 : 1;
  }
}

async function evaluateFolders(options: EvaluateOptions, around: Environment): Promise<number> {
  const folders: Folder[] = [];
  for (const path of options.folders) folders.push(await readFolder(path, options.limit));
  const out = options.out === undefined ? undefined : openOut(options.out);
  let status = 0;
  for (const [i, folder] of folders.entries()) {
    if (folders.length > 1) around.terminal.log(`${i > 0 ? '\n' : ''}# ${options.folders[i]}\n`);
    status = Math.max(status, await evaluateFolder(options, folder, out, around));
    if (around.interrupt.aborted) break;
  }
  if (out !== undefined) closeSync(out);
  return status;
}

async function evaluateFolder(
  options: EvaluateOptions,
  folder: Folder,
  out: number | undefined,
  around: Environment,
): Promise<number> {
  const { terminal, interrupt } = around;
  for (const row of folder.badRows) terminal.error(`Bad row, ${formatRowError(row)}`);

  const run = await ask(options, folder, around);
  for (const row of run.refused) terminal.error(`Bad row, ${formatRowError(row)}`);
  for (const line of truncateLines(run.errors.map(formatRowError))) terminal.error(`Error, ${line}`);
  if (interrupt.aborted) terminal.error('Interrupted: the figures include only the rows so far');
  if (out !== undefined) writeOut(out, run.answered);
  terminal.log(
    report(
      run.answered,
      { ...run, badRows: folder.badRows.length + run.refused.length, errors: run.errors.length },
      options.errors,
    ),
  );
  if (interrupt.aborted) return INTERRUPTED;
  return run.errors.length > 0 || run.leftOpen.length > 0 ? 1 : 0;
}

interface Run extends EvaluationResult {
  campaigns: number;
  refusedCampaigns: number;
  concurrency: number;
  limited: number;
  /** Campaigns in the running service that could not be cancelled. */
  leftOpen: string[];
}

const ask = (options: EvaluateOptions, folder: Folder, around: Environment): Promise<Run> =>
  options.judge === 'labels' ? askInProcess(options, folder, around) : askService(options, folder, around);

async function measureAll(rows: Folder['rows'], bidding: Bidder, signal: AbortSignal): Promise<EvaluationResult> {
  const progress = createProgress(rows.length);
  const measured = await measure(rows, bidding, progress.step, signal);
  progress.end();
  return measured;
}

/** Evaluates with the simulated judge in this process, without store or network. */
async function askInProcess(
  { strictness }: EvaluateOptions,
  folder: Folder,
  { terminal, interrupt }: Environment,
): Promise<Run> {
  const { createInProcessBidder } = await import('./in-process.ts');
  const { campaigns, rows } = folder;
  const bidding = createInProcessBidder(folder, createLabelJudge(folder), strictness);
  const taken = reportRefused(campaigns, bidding.refused, terminal);
  return { ...(await measureAll(rows, bidding, interrupt)), ...taken, concurrency: 1, limited: 0, leftOpen: [] };
}

/** Prints the rejected campaigns and returns the counts. @throws EvaluationError if all are rejected */
function reportRefused(
  campaigns: Folder['campaigns'],
  refused: readonly RefusedCampaign[],
  terminal: Environment['terminal'],
) {
  for (const { campaign, reason } of refused) terminal.error(`Campaign ${campaign.id} is rejected: ${reason}`);
  if (refused.length === campaigns.length) throw new EvaluationError('The service rejects all campaigns');
  return { campaigns: campaigns.length - refused.length, refusedCampaigns: refused.length };
}

async function askService(
  { url, judge, strictness }: EvaluateOptions,
  folder: Folder,
  { terminal, interrupt, pause }: Environment,
): Promise<Run> {
  const { campaigns, rows } = folder;
  // Load the service only if needed: it takes a second, which a run against a URL does not need.
  const own = url === undefined ? await (await import('./service.ts')).startOwnService(judge) : undefined;
  const client = createEvaluateClient(own?.url ?? url!, pause);
  const market = createMarket(client);
  const leftOpen: string[] = [];
  try {
    await client.health();
    const taken = reportRefused(campaigns, await market.open(campaigns, interrupt), terminal);
    const keys = await market.keys(Math.min(MAX_KEYS, Math.ceil(rows.length / BID_RATE.requests)), strictness);
    await pause(SETTLE_MS);
    const turns = createKeyRotation(keys, BID_RATE);
    const bidding: Bidder = {
      bid: (request) => turns.take((key) => client.bid(key, request)),
      findCampaign: market.campaignOf,
      concurrency: Math.min(CONCURRENCY, turns.size),
    };
    const measured = await measureAll(rows, bidding, interrupt);
    return {
      ...measured,
      ...taken,
      concurrency: bidding.concurrency,
      limited: client.limited(),
      leftOpen,
    };
  } finally {
    if (own) await own.stop();
    else {
      leftOpen.push(...(await market.close()));
      if (leftOpen.length > 0)
        terminal.error(`Could not cancel these campaigns, which may still bid: ${truncateLines(leftOpen).join(', ')}`);
    }
  }
}

/** Truncates long lists, because a service that is down fails every row with the same error. */
const truncateLines = (lines: readonly string[]): string[] =>
  lines.length > 20 ? [...lines.slice(0, 20), `and ${lines.length - 20} more`] : [...lines];

/** Opens the output file before the run, so that an invalid path fails at once. */
function openOut(file: string): number {
  try {
    return openSync(file, 'w');
  } catch (error) {
    throw new EvaluationError(`--out ${file} cannot be written: ${toError(error).message}`);
  }
}

function writeOut(file: number, answered: readonly EvaluatedRow[]): void {
  for (const { row, campaign, score } of answered) {
    writeSync(file, `${JSON.stringify({ id: row.id, campaignId: campaign?.id ?? null, score })}\n`);
  }
}
