import { type Clock, systemClock } from '../shared/platform/clock.ts';

/** A clock without deadlines, so measurements do not depend on the load of the machine. */
export const patientClock: Clock = { ...systemClock, timer: () => () => {}, within: (_, work) => work() };
