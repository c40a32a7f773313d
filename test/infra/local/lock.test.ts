import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, it } from 'vitest';
import { lockFolder } from '../../../infra/local/lock.ts';
import { useChildProcesses } from '../../child-process.ts';

const runProgram = useChildProcesses();
const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const createFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'lock-'));
  folders.push(folder);
  return folder;
};

const HOLD = `
  import { lockFolder } from ${JSON.stringify(resolve('infra/local/lock.ts'))};
  globalThis.unlock = lockFolder(process.argv[1]);
  setInterval(() => {}, 1_000);
  console.log(process.pid);`;

/** Starts a process that locks a folder. With `parent`, a shell that never reaps it starts it, so it becomes a zombie when killed. */
async function holder(dataDir: string, parent: 'us' | 'careless') {
  const command = [process.execPath, '--input-type=module', '-e', HOLD, dataDir] as const;
  const [file, ...args] = parent === 'us' ? command : ['sh', '-c', '"$@" & exec sleep 600', 'sh', ...command];
  const program = runProgram(file!, args);
  return { program, pid: Number((await program.waitForOutput(/\d+\n/))[0]) };
}

const inUse = (dataDir: string, pid: number) =>
  `DATA_DIR=${dataDir} is in use by process ${pid}: stop it, or choose another folder`;

it('locks a data folder for one process, and names that process in the error', () => {
  const dataDir = createFolder();
  const unlock = lockFolder(dataDir);
  expect(() => lockFolder(dataDir)).toThrow(inUse(dataDir, process.pid));
  unlock();
  unlock();
  lockFolder(dataDir)();
});

it('releases the lock only when its holder is killed', async () => {
  const dataDir = createFolder();
  const { program, pid } = await holder(dataDir, 'us');
  expect(() => lockFolder(dataDir)).toThrow(inUse(dataDir, pid));
  program.child.kill('SIGKILL');
  await program.exitCode;
  lockFolder(dataDir)();
});

it('releases the lock of a killed holder that is a zombie', async () => {
  const dataDir = createFolder();
  const { pid } = await holder(dataDir, 'careless');
  expect(() => lockFolder(dataDir)).toThrow(inUse(dataDir, pid));
  process.kill(pid, 'SIGKILL');
  const state = async () => (await promisify(execFile)('ps', ['-o', 'stat=', '-p', String(pid)])).stdout.trim();
  // "Zl" is a zombie with threads that have not ended and still keep its resources.
  await expect.poll(state).toMatch(/^Z[^l]*$/);
  lockFolder(dataDir)();
});

it('ignores a lock whose process id now belongs to another process', () => {
  const dataDir = createFolder();
  writeFileSync(join(dataDir, 'lock'), String(process.ppid));
  lockFolder(dataDir)();
});
