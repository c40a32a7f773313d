import { expect, test } from 'vitest';
import { getOwner } from '../../../shared/http/owner.ts';
import { useServiceInMemory } from '../../memory/stack.ts';

const jwt = { jwt: 'auth0|alice' };
const role = { iam: 'AROAEXAMPLE' };

test.each([
  { says: 'the header names the user where nothing stands in front', auth: 'header', claimed: 'alice', owner: 'alice' },
  { says: 'no header names nobody', auth: 'header', claimed: null, owner: '' },
  {
    says: 'an authorizer that is not asked for counts for nothing',
    auth: 'header',
    by: jwt,
    claimed: 'bob',
    owner: 'bob',
  },
  { says: 'a token names its subject', auth: 'jwt', by: jwt, claimed: null, owner: 'auth0|alice' },
  { says: 'the header may say the same', auth: 'jwt', by: jwt, claimed: 'auth0|alice', owner: 'auth0|alice' },
  { says: 'a header that names somebody else is nobody', auth: 'jwt', by: jwt, claimed: 'bob', owner: '' },
  { says: 'without a token the header counts for nothing', auth: 'jwt', claimed: 'alice', owner: '' },
  { says: 'IAM names a role', auth: 'iam', by: role, claimed: null, owner: 'AROAEXAMPLE' },
  { says: 'a token is no IAM signature', auth: 'iam', by: jwt, claimed: 'auth0|alice', owner: '' },
] as const)('$says', ({ auth, claimed, owner, ...more }) => {
  expect(getOwner(auth, ('by' in more && more.by) || {}, claimed)).toBe(owner);
});

const service = useServiceInMemory({ MANAGEMENT_AUTH: 'jwt' });

test('where tokens are asked for, no refusal says that a header would do', { tags: 'whole' }, async () => {
  const { status, body } = await service.call('GET', '/api/v1/campaigns');
  expect([status, body]).toEqual([401, { error: 'Unauthorized', message: 'User ID is required', statusCode: 401 }]);
});

test('where tokens are asked for, x-user-id alone opens no management operation', { tags: 'whole' }, async () => {
  const response = await service.call('GET', '/api/v1/campaigns', { headers: { 'x-user-id': 'alice' } });
  expect(response).toMatchObject({ status: 401, body: { error: 'Unauthorized', message: 'User ID is required' } });
});
