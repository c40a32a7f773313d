import { expect, it } from 'vitest';
import { operations } from '../../../infra/edge/operations.ts';
import { createEdgePolicy } from '../../../infra/edge/policy.ts';
import { endpointRow } from '../../../shared/http/operations/endpoints.ts';
import type { Verb } from '../../../shared/http/operations/rows.ts';
import { getKeys } from '../../../shared/platform/values/typed.ts';

const ACTIONS: Partial<Record<Verb, string>> = { get: 'GetItem', put: 'PutItem', update: 'UpdateItem' };

it('grants the IAM user of the Worker exactly what the rows of its operations declare', () => {
  const policy = createEdgePolicy('eu-west-1', 'ads-prod-');
  const statements = 'Statement' in policy && Array.isArray(policy.Statement) ? policy.Statement : [];
  const allowed = statements.flatMap(({ Effect, Action, Resource }) =>
    [Resource].flat().flatMap((resource) => [Action].flat().map((action) => `${Effect} ${action} ${resource}`)),
  );
  const granted = getKeys(operations).flatMap((name) => {
    const { tables } = endpointRow(name);
    return getKeys(tables).flatMap((table) =>
      (tables[table] ?? []).map(
        (verb) => `Allow dynamodb:${ACTIONS[verb]} arn:aws:dynamodb:eu-west-1:*:table/ads-prod-${table}`,
      ),
    );
  });
  expect(allowed.sort()).toEqual([...new Set(granted)].sort());
});
