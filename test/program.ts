import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:net';
import { afterAll } from 'vitest';

export interface Program {
  child: ChildProcess;
  /** What it has printed so far, on both streams. */
  readonly output: string;
  /** Resolves to the match once it has printed that. Rejects if it ends without. */
  prints(pattern: RegExp): Promise<RegExpExecArray>;
  /** Its exit code, once it has ended and printed its last words. */
  ended: Promise<number | null>;
  /** Tells it and its children to end, as Ctrl-C does, and waits for that. */
  interrupt(): Promise<number | null>;
}

/** The environment without what Vitest adds to it, which commands would read as settings. */
const { BASE_URL: _, NODE_ENV: __, ...shell } = process.env;

/** A command as its reader runs it, with these settings; ended when the tests of the file are through. */
export function runProgram(command: string, args: string[], settings: Record<string, string> = {}): Program {
  const news = new EventEmitter().setMaxListeners(0);
  const program = { output: '', hasEnded: false };
  // A group of its own: npm and the shell pass no signal on to what they run.
  const child = spawn(command, args, { env: { ...shell, ...settings }, detached: true });
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      program.output += text;
      news.emit('said');
    });
  const ended = once(child, 'close').then(([code]) => {
    program.hasEnded = true;
    news.emit('said');
    return code;
  });
  const signal = (name: 'SIGINT' | 'SIGKILL') => {
    if (!program.hasEnded && child.pid) process.kill(-child.pid, name);
  };
  afterAll(() => signal('SIGKILL'));
  return {
    child,
    get output() {
      return program.output;
    },
    async prints(pattern) {
      for (;;) {
        const match = pattern.exec(program.output);
        if (match) return match;
        if (program.hasEnded) throw new Error(`${command} ended without ${pattern}: ${program.output}`);
        await once(news, 'said');
      }
    },
    ended,
    interrupt() {
      signal('SIGINT');
      return ended;
    },
  };
}

/** A port of this machine that nobody listens on now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
