import { readdirSync, readFileSync } from 'node:fs';
import { startEdge } from '../../infra/edge/runtime.ts';

/** Processor time in /proc is counted in hundredths of a second. */
const TICK_MS = 10;

/** Starts workerd with a Worker. Linux alone: its figures are read from outside. */
export async function startWorkerd(options: Parameters<typeof startEdge>[0]) {
  const before = children();
  const { url, stop } = await startEdge(options);
  return { pid: children().find((pid) => !before.includes(pid))!, url, stop };
}

const statOf = (pid: number | string) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');

/** Processes that this one has started. */
const children = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return Number(statOf(pid)[1]) === process.pid;
      } catch {
        return false; // it has ended meanwhile
      }
    })
    .map(Number);

/** Processor milliseconds that a process has had, its own and the kernel's for it. */
export const cpuMs = (pid: number): number => (Number(statOf(pid)[11]) + Number(statOf(pid)[12])) * TICK_MS;

/** Megabytes of memory that a process has resident. */
export const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
