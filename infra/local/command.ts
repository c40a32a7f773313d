import { ConfigError } from '../../shared/platform/config.ts';

/** A command that runs until it is told to end. `start` gives what ends it; what it cannot do for want of something is told in words. */
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

/** Says what a command is doing while it prepares. Not on stdout, which may be piped into a file or a shell. */
export const printStep = (step: string): void => console.error(`${step} …`);

/** Why the local stack cannot start, in one line for the developer. */
export class StartError extends Error {}
