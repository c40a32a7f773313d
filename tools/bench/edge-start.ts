import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { keysOf } from '../../shared/values/typed.ts';
import { median } from '../median.ts';
import { BIDS_OF_A_KEY, bidAt, NO_CACHE, startEmptyOrigin, stockedStore, untilBid } from './edge-market.ts';
import { cpuMs, residentMb, startWorkerd } from './workerd.ts';

const SIZES = [1_000, 30_000];
const STARTS = 3;
/** Keys, each of which bids as often as it may after the first bid. */
const KEYS = 6;
/** How long nothing may happen before what a process has resident is taken for what it keeps. */
const QUIET_MS = 500;

const EMPTY = { 'empty.mjs': 'export default { fetch: () => new Response() };' };

/** What a Worker's start takes, from the process's start on: of the processor, and of memory. @param ends what is to be ended after it */
export async function startUp(ends: (() => unknown)[]): Promise<void> {
  const ORIGIN_URL = await startEmptyOrigin(ends);
  const none = await medians(async () => {
    const worker = await startWorkerd({ modules: EMPTY, bindings: {} });
    await fetch(worker.url);
    const used = cpuMs(worker.pid);
    await worker.stop();
    return { used };
  });
  console.log(
    `\nstart-up: processor ms of workerd beyond an empty Worker's ${none.used}, MB resident (medians of ${STARTS})`,
  );
  console.log('campaigns   slices from   script   to the first bid   MB before   after it   after 60');
  for (const size of SIZES) {
    const { environment, keys } = await stockedStore(size, KEYS, ends);
    const bindings = { ...environment, ORIGIN_URL, EDGE_MOST_CAMPAIGNS: String(size) };
    const storage = await mkdtemp(join(tmpdir(), 'edge-'));
    ends.push(() => rm(storage, { recursive: true }));
    const ways = { store: { before: NO_CACHE }, cache: { storage } };
    await start({ bindings, ...ways.cache }, keys); // fills it
    for (const from of keysOf(ways)) {
      const { script, bid, before, after, later } = await medians(() => start({ bindings, ...ways[from] }, keys));
      const cells = [script - none.used, bid - none.used, before, after, later].map(Math.round);
      console.log([size, from, ...cells].map((cell) => String(cell).padStart(9)).join('   '));
    }
  }
}

/** One start: the script's alone, then to the first bid that the Worker makes itself, then some more bids. */
async function start(options: Parameters<typeof startWorkerd>[0], keys: readonly string[]) {
  const worker = await startWorkerd(options);
  await fetch(`${worker.url}/api/v1/health`);
  const script = cpuMs(worker.pid);
  const before = residentMb(worker.pid);
  await untilBid(worker.url, keys[0]!);
  const used = cpuMs(worker.pid);
  await pause(QUIET_MS);
  const after = residentMb(worker.pid);
  for (const key of keys) for (let count = 0; count < BIDS_OF_A_KEY; count++) await bidAt(worker.url, key);
  await pause(QUIET_MS);
  const later = residentMb(worker.pid);
  await worker.stop();
  return { script, bid: used, before, after, later };
}

async function medians<T extends Record<string, number>>(run: () => Promise<T>): Promise<T> {
  const runs: T[] = [];
  for (let count = 0; count < STARTS; count++) runs.push(await run());
  const names = keysOf(runs[0]!);
  return Object.fromEntries(names.map((name) => [name, median(runs.map((one) => one[name]!))])) as T;
}
