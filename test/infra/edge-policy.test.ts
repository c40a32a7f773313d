import { expect, it } from 'vitest';
import { edgeNames } from '../../infra/edge/operations.ts';
import { edgePolicy } from '../../infra/edge/policy.ts';
import { endpointRow } from '../../shared/operations/endpoints.ts';

interface Policy {
  Statement: { Effect: string; Action: string | string[]; Resource: string | string[] }[];
}

const ACTIONS: Record<string, string> = {
  get: 'GetItem',
  getAll: 'BatchGetItem',
  put: 'PutItem',
  update: 'UpdateItem',
};
const BEGIN = 'arn:aws:dynamodb:eu-west-1:123456789012:table/ads-';

it('The user of a Worker may do what the rows of its operations say, each on its table, and nothing else', () => {
  const { Statement } = edgePolicy(BEGIN) as Policy;
  const allowed = Statement.flatMap(({ Effect, Action, Resource }) =>
    [Resource].flat().flatMap((resource) => [Action].flat().map((action) => `${Effect} ${action} ${resource}`)),
  );
  const wanted = edgeNames.flatMap((name) =>
    Object.entries(endpointRow(name).tables).flatMap(([table, verbs]) =>
      verbs.map((verb) => `Allow dynamodb:${ACTIONS[verb] ?? 'Query'} ${BEGIN}${table}`),
    ),
  );
  // Campaigns are read by the time of their change.
  const index = `Allow dynamodb:Query ${BEGIN}campaigns/index/byChange`;
  expect(allowed.sort()).toEqual([...new Set([...wanted, index])].sort());
});

it('A Worker answers nothing that an owner asks: it verifies nobody', () => {
  expect(edgeNames.filter((name) => endpointRow(name).credential === 'owner')).toEqual([]);
  expect(edgeNames).toEqual(expect.arrayContaining(['ssp/bid', 'ssp/ad', 'click/redirect', 'openrtb2/bid', 'health']));
});
