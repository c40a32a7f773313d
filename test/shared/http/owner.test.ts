import { expect, test } from 'vitest';
import { getOwner } from '../../../shared/http/owner.ts';
import { useServiceInMemory } from '../../memory/stack.ts';

const jwt = { jwt: 'auth0|alice' };
const role = { iam: 'AROAEXAMPLE' };

test.each([
  { title: 'the header names the user without an authorizer', auth: 'header', claimed: 'alice', owner: 'alice' },
  { title: 'no header gives no owner', auth: 'header', claimed: null, owner: '' },
  {
    title: 'an authorizer is ignored if the settings do not name it',
    auth: 'header',
    by: jwt,
    claimed: 'bob',
    owner: 'bob',
  },
  { title: 'a token names its subject', auth: 'jwt', by: jwt, claimed: null, owner: 'auth0|alice' },
  { title: 'the header may repeat the subject', auth: 'jwt', by: jwt, claimed: 'auth0|alice', owner: 'auth0|alice' },
  { title: 'a header with another user gives no owner', auth: 'jwt', by: jwt, claimed: 'bob', owner: '' },
  { title: 'the header is ignored without a token', auth: 'jwt', claimed: 'alice', owner: '' },
  { title: 'IAM names a role', auth: 'iam', by: role, claimed: null, owner: 'AROAEXAMPLE' },
  { title: 'a token does not replace an IAM signature', auth: 'iam', by: jwt, claimed: 'auth0|alice', owner: '' },
] as const)('$title', ({ auth, claimed, owner, ...more }) => {
  expect(getOwner(auth, ('by' in more && more.by) || {}, claimed)).toBe(owner);
});

const service = useServiceInMemory({ MANAGEMENT_AUTH: 'jwt' });

test('the error does not suggest x-user-id if tokens are required', { tags: 'whole' }, async () => {
  const { status, body } = await service.call('GET', '/api/v1/campaigns');
  expect([status, body]).toEqual([401, { error: 'Unauthorized', message: 'User ID is required', statusCode: 401 }]);
});

test('x-user-id without a token is rejected if tokens are required', { tags: 'whole' }, async () => {
  const response = await service.call('GET', '/api/v1/campaigns', { headers: { 'x-user-id': 'alice' } });
  expect(response).toMatchObject({ status: 401, body: { error: 'Unauthorized', message: 'User ID is required' } });
});

test('the activity names the verified user', { tags: 'whole' }, async () => {
  const caller = { requestId: 'request-1', sourceIp: '203.0.113.7', verified: jwt };
  const { apps } = service.stack;
  const url = 'https://ads.test/api/v1';
  const body = JSON.stringify({ name: 'Shoes' });
  const headers = { 'content-type': 'application/json' };
  const created = await apps['campaigns/create'].fetch(
    new Request(`${url}/campaigns`, { method: 'POST', headers, body }),
    caller,
  );
  expect(created.status).toBe(201);
  const listed = await apps['account/activity'].fetch(new Request(`${url}/activity`), caller);
  expect(await listed.json()).toMatchObject({ entries: [{ action: 'created', actor: 'user', userId: jwt.jwt }] });
});
