import { type EndpointName, endpointNames, endpointRow } from '../../shared/operations/endpoints.ts';
import { QUICK } from '../../shared/operations/rows.ts';

/** What a conversation, an exchange or a reader waits for, and whether anybody is there: a Worker answers these, and passes the rest on. */
export const edgeNames: readonly EndpointName[] = endpointNames.filter(
  (name) => name === 'health' || endpointRow(name).memoryMb === QUICK.memoryMb,
);
