import type { Clock } from '../shared/platform/clock.ts';
import { systemClock } from '../shared/platform/system-clock.ts';

/** A clock without deadlines, so measurements do not depend on the load of the machine. */
export const patientClock: Clock = { ...systemClock, timer: () => () => {}, within: (_, work) => work() };
