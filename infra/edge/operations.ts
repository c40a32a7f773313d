import { type EndpointName, endpointNames, endpointRow } from '../../shared/operations/endpoints.ts';

/** What a conversation or a reader waits for, and whether anybody is there: a Worker answers these, and passes the rest on. */
export const edgeNames: readonly EndpointName[] = endpointNames.filter((name) => {
  const { area } = endpointRow(name);
  return area === 'ssp' || area === 'legacy' || name === 'click/redirect' || name === 'health';
});
