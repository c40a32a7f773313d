import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { expect, test } from 'vitest';
import { ownerOf } from '../../../shared/http/user.ts';
import { useService } from '../../harness.ts';

const eventOf = (authorizer?: object) => ({ requestContext: { authorizer } }) as unknown as APIGatewayProxyEventV2;
const jwt = { jwt: { claims: { sub: 'auth0|alice' }, scopes: null } };
const role = {
  iam: { userId: 'AROAEXAMPLE:session-7', userArn: 'arn:aws:sts::123456789012:assumed-role/ads/session-7' },
};

test.each([
  { says: 'the header names the user where nothing stands in front', auth: 'header', claimed: 'alice', user: 'alice' },
  { says: 'no header names nobody', auth: 'header', claimed: undefined, user: '' },
  {
    says: 'an authorizer that is not asked for counts for nothing',
    auth: 'header',
    by: jwt,
    claimed: 'bob',
    user: 'bob',
  },
  { says: 'a token names its subject', auth: 'jwt', by: jwt, claimed: undefined, user: 'auth0|alice' },
  { says: 'the header may say the same', auth: 'jwt', by: jwt, claimed: 'auth0|alice', user: 'auth0|alice' },
  { says: 'a header that names somebody else is nobody', auth: 'jwt', by: jwt, claimed: 'bob', user: '' },
  { says: 'without a token the header counts for nothing', auth: 'jwt', claimed: 'alice', user: '' },
  { says: 'a token without a subject is nobody', auth: 'jwt', by: { jwt: { claims: {} } }, claimed: 'alice', user: '' },
  { says: 'IAM names a role, whatever its session', auth: 'iam', by: role, claimed: undefined, user: 'AROAEXAMPLE' },
  { says: 'a token is no IAM signature', auth: 'iam', by: jwt, claimed: 'auth0|alice', user: '' },
] as const)('$says', ({ auth, claimed, user, ...more }) => {
  expect(ownerOf(auth, eventOf('by' in more ? more.by : undefined), claimed)).toBe(user);
});

const service = useService({ MANAGEMENT_AUTH: 'jwt' });

test('where tokens are asked for, no refusal says that a header would do', async () => {
  const { status, body } = await service.call('GET', '/api/v1/campaigns');
  expect([status, body]).toEqual([401, { error: 'Unauthorized', message: 'User ID is required', statusCode: 401 }]);
});

test('where tokens are asked for, x-user-id alone opens no management operation', async () => {
  const response = await service.call('GET', '/api/v1/campaigns', { headers: { 'x-user-id': 'alice' } });
  expect(response).toMatchObject({ status: 401, body: { error: 'Unauthorized', message: 'User ID is required' } });
});
