import { type EndpointName, endpointNames, endpointRow } from '../../shared/operations/endpoints.ts';
import { QUICK } from '../../shared/operations/rows.ts';

/**
 * What a Worker answers itself: what a conversation, an exchange or a reader waits for, and whether anybody is there. Never what an
 * owner asks: who that is, the gateway in front of the origin verifies.
 */
export const edgeNames: readonly EndpointName[] = endpointNames.filter((name) => {
  const { credential, memoryMb } = endpointRow(name);
  return name === 'health' || (memoryMb === QUICK.memoryMb && credential !== 'owner');
});
