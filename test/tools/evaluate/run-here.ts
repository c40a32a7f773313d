import { setTimeout } from 'node:timers/promises';
import type { Pause } from '../../../tools/evaluate/client.ts';
import { evaluate } from '../../../tools/evaluate/run.ts';

/** Runs the command in this process. @returns its output and status */
export const runHere = (...args: string[]) => run(args, setTimeout);

/** The same without waiting; `pauses` collects the milliseconds that it would have waited. */
export async function runHereAtOnce(...args: string[]) {
  const pauses: number[] = [];
  return { ...(await run(args, async (ms) => pauses.push(ms))), pauses };
}

async function run(args: string[], pause: Pause) {
  const out: string[] = [];
  const err: string[] = [];
  const line = (text: string) => `${text}\n`;
  const terminal = {
    log: (text: string) => void out.push(line(text)),
    error: (text: string) => void err.push(line(text)),
  };
  const status = await evaluate(args, { terminal, interrupt: new AbortController().signal, pause });
  return { out: out.join(''), err: err.join(''), status };
}
