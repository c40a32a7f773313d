import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { useChildProcesses } from './child-process.ts';

/** Prints the id of a child of its own, which would run for ten minutes. */
const PARENT = 'sleep 600 & echo "child $!"; wait';
const CHILD = /child (\d+)/;

/** Whether a process runs; one that has ended stays visible as a zombie until somebody asks how. */
const isAlive = async (pid: number): Promise<boolean> => {
  const stat = await promisify(execFile)('ps', ['-o', 'stat=', '-p', String(pid)]).catch(() => ({ stdout: 'Z' }));
  return !stat.stdout.startsWith('Z');
};

describe('A command with a child', () => {
  let child: number;

  describe('that a hook of these tests runs', () => {
    const run = useChildProcesses();
    beforeAll(async () => {
      child = Number((await run('sh', ['-c', PARENT]).waitForOutput(CHILD))[1]);
    });

    it('is alive while they run', async () => expect(await isAlive(child)).toBe(true));
  });

  it('is killed with its child after them', () => expect.poll(() => isAlive(child)).toBe(false));
});

describe('A process that runs a command', () => {
  const run = useChildProcesses();

  it('takes the command and its child along when it is killed', async () => {
    const runner = run(process.execPath, ['test/child-process-runner.ts', PARENT]);
    const child = Number((await runner.waitForOutput(CHILD))[1]);
    expect(await isAlive(child)).toBe(true);
    runner.child.kill('SIGKILL');
    await expect.poll(() => isAlive(child)).toBe(false);
  });
});
