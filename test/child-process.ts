import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { finished } from 'node:stream/promises';
import { afterAll } from 'vitest';

export interface RunningProcess {
  child: ChildProcess;
  /** The output so far, of both streams. */
  readonly output: string;
  /** Resolves to the match once the output contains it. Rejects if the process ends first. */
  waitForOutput(pattern: RegExp): Promise<RegExpExecArray>;
  /** The exit code, once the process has ended and its output is complete. */
  exitCode: Promise<number | null>;
  /** Interrupts it and its children, as Ctrl-C does, and waits for the end. */
  interrupt(): Promise<number | null>;
  /** Kills it and its children, including those that outlived it. */
  kill(): void;
}

/** The environment without Vitest's additions, which commands would read as settings. */
const { BASE_URL: _, NODE_ENV: __, ...shell } = process.env;

/** Executes the command. In parallel, kills its process group once the other end of descriptor 3 is closed. */
const GUARDED = '(cat <&3; kill -KILL 0) >/dev/null 2>&1 & exec "$@" 3<&-';

/**
 * Runs commands for the tests of a file or `describe`. Call it there directly, because hooks added within a hook or a test never run.
 * Commands that still run after the tests are killed with their children, also if a test failed.
 */
export function useChildProcesses(): typeof startChildProcess {
  const programs: RunningProcess[] = [];
  afterAll(() => {
    for (const program of programs) program.kill();
  });
  return (...args) => {
    const program = startChildProcess(...args);
    programs.push(program);
    return program;
  };
}

/** Starts a command with these settings, as a user would. It is killed if this process ends in any way. */
export function startChildProcess(
  command: string,
  args: string[],
  settings: Record<string, string> = {},
): RunningProcess {
  const outputEvents = new EventEmitter().setMaxListeners(0);
  const program = { output: '', hasEnded: false };
  // A separate process group, because npm and the shell do not forward signals.
  const child = spawn('sh', ['-c', GUARDED, 'sh', command, ...args], {
    env: { ...shell, ...settings },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    detached: true,
  });
  const guard = child.stdio[3] as Socket;
  const outputs = [child.stdout!, child.stderr!];
  for (const stream of outputs)
    stream.setEncoding('utf8').on('data', (text) => {
      program.output += text;
      outputEvents.emit('output');
    });
  const ended = Promise.all([once(child, 'exit'), ...outputs.map((stream) => finished(stream))]).then(([[code]]) => {
    program.hasEnded = true;
    outputEvents.emit('output');
    return code;
  });
  return {
    child,
    get output() {
      return program.output;
    },
    async waitForOutput(pattern) {
      for (;;) {
        const match = pattern.exec(program.output);
        if (match) return match;
        if (program.hasEnded) throw new Error(`${command} ended without ${pattern}: ${program.output}`);
        await once(outputEvents, 'output');
      }
    },
    exitCode: ended,
    interrupt() {
      if (!program.hasEnded && child.pid) process.kill(-child.pid, 'SIGINT');
      return ended;
    },
    kill: () => void guard.destroy(),
  };
}

/** A free port on this machine. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
