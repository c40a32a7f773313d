import { expect, it } from 'vitest';
import { edgeNames } from '../../infra/edge/operations.ts';
import { edgePolicy } from '../../infra/edge/policy.ts';
import { endpointRow } from '../../shared/operations/endpoints.ts';

interface Policy {
  Statement: { Effect: string; Action: string | string[]; Resource: string | string[] }[];
}

it('The user of a Worker may do what its operations do, each on its table, and nothing else', () => {
  const { Statement } = edgePolicy('arn:aws:dynamodb:eu-west-1:123456789012:table/ads-') as Policy;
  const allowed = new Map<string, string[]>();
  for (const { Effect, Action, Resource } of Statement) {
    expect(Effect).toBe('Allow');
    for (const resource of [Resource].flat()) {
      const table = resource.replace('arn:aws:dynamodb:eu-west-1:123456789012:table/ads-', '');
      const actions = [Action].flat().map((action) => action.replace('dynamodb:', ''));
      allowed.set(table, [...(allowed.get(table) ?? []), ...actions].sort());
    }
  }
  expect(Object.fromEntries(allowed)).toEqual({
    'api-keys': ['GetItem', 'UpdateItem'],
    'key-settings': ['GetItem'],
    limits: ['PutItem', 'UpdateItem'],
    campaigns: ['GetItem', 'Query', 'UpdateItem'],
    'campaigns/index/byChange': ['Query'],
    snapshots: ['GetItem'],
    conversations: ['GetItem', 'PutItem', 'UpdateItem'],
    bids: ['GetItem', 'PutItem', 'UpdateItem'],
    ledgers: ['PutItem', 'UpdateItem'],
  });
});

it('A Worker answers nothing that an owner asks: it verifies nobody', () => {
  expect(edgeNames.filter((name) => endpointRow(name).credential === 'owner')).toEqual([]);
  expect(edgeNames).toEqual(expect.arrayContaining(['ssp/bid', 'ssp/ad', 'click/redirect', 'openrtb2/bid', 'health']));
});
