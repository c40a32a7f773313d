import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { startEdge } from '../../infra/edge/runtime.ts';

/** Processor time in /proc is counted in hundredths of a second. */
const TICK_MS = 10;
/** How long the inspector may take for a call: collecting garbage is the longest. */
const INSPECTOR_MS = 60_000;

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

/** The inspector of a Worker, which tells what V8 holds for it. @param url what the Worker is asked for meanwhile: some calls are answered beside requests alone */
export async function openInspector(port: number, url: string) {
  const listed = await fetch(`http://127.0.0.1:${port}/json`);
  const targets: { id: string; webSocketDebuggerUrl: string }[] = JSON.parse(await listed.text());
  const socket = new WebSocket(targets.find(({ id }) => id.startsWith('core:user:'))!.webSocketDebuggerUrl);
  await once(socket, 'open');
  const results = new Map<number, Record<string, number>>();
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(data);
    if (id) results.set(id, result);
  });
  let calls = 0;
  async function call(method: string): Promise<Record<string, number>> {
    const id = ++calls;
    socket.send(JSON.stringify({ id, method }));
    for (const until = performance.now() + INSPECTOR_MS; !results.has(id); ) {
      if (performance.now() >= until) throw new Error(`the inspector does not answer ${method}`);
      await (await fetch(url)).text();
    }
    return results.get(id)!;
  }
  await call('HeapProfiler.enable');
  return {
    close: () => socket.close(),
    /** Megabytes of objects and of buffers that are left when garbage is collected. */
    async heldMb(): Promise<number> {
      await call('HeapProfiler.collectGarbage');
      const { usedSize = 0, embedderHeapUsedSize = 0, backingStorageSize = 0 } = await call('Runtime.getHeapUsage');
      return (usedSize + embedderHeapUsedSize + backingStorageSize) / 2 ** 20;
    },
  };
}
