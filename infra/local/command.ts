import { ConfigError } from '../../shared/platform/config.ts';

/** Runs a command until a signal ends it. `start` returns the function that stops it. Expected errors print only their message. */
export async function runCommand(start: () => Promise<() => Promise<void>>): Promise<void> {
  try {
    const stop = await start();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  } catch (error) {
    const expected = error instanceof StartError || error instanceof ConfigError;
    console.error(expected ? error.message : error);
    process.exitCode = 1;
  }
}

/** Prints a step of the preparations to stderr, because stdout may be piped. */
export const printStep = (step: string): void => console.error(`${step} …`);

/** The local stack cannot start. The message is one line for the developer. */
export class StartError extends Error {}
