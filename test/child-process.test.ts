import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { useChildProcesses } from './child-process.ts';

/** Prints the id of a child that would run for ten minutes. */
const PARENT = 'sleep 600 & echo "child $!"; wait';
const CHILD = /child (\d+)/;

/** Whether a process runs. An ended process counts as a zombie until its parent reads the exit status. */
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

    it('is alive during the tests', async () => expect(await isAlive(child)).toBe(true));
  });

  it('is killed with its child after the tests', () => expect.poll(() => isAlive(child)).toBe(false));
});

describe('A process that runs a command', () => {
  const run = useChildProcesses();

  it('takes the command and its child down when it is killed', async () => {
    const runner = run(process.execPath, ['test/child-process-runner.ts', PARENT]);
    const child = Number((await runner.waitForOutput(CHILD))[1]);
    expect(await isAlive(child)).toBe(true);
    runner.child.kill('SIGKILL');
    await expect.poll(() => isAlive(child)).toBe(false);
  });
});
