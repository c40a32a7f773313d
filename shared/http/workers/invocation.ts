import type { Context } from 'aws-lambda';
import type { Clock } from '../../platform/clock.ts';

/** What is left of an invocation to say what is not through, before Lambda ends it. */
const LAST_MS = 2_000;

export type Invocation = Pick<Context, 'getRemainingTimeInMillis'>;

/** Runs the work of an invocation: its calls of the store end before Lambda ends it. On one machine nothing does. */
export const inItsTime = <T>(clock: Clock, invocation: Invocation | undefined, work: () => T): T =>
  clock.within(
    invocation ? clock.now() + invocation.getRemainingTimeInMillis() - LAST_MS : Number.POSITIVE_INFINITY,
    work,
  );
