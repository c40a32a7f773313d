import { setTimeout } from 'node:timers/promises';
import { evaluate } from './run.ts';

/** `npm run evaluate -- <folder> …`: runs until it finishes or gets Ctrl-C. */
const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupt.abort());
process.exitCode = await evaluate(process.argv.slice(2), {
  terminal: console,
  interrupt: interrupt.signal,
  pause: setTimeout,
});
