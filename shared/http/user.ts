import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Config } from '../platform/config.ts';

/** What the gateway's authorizers say of a caller they have verified. */
interface Authorizer {
  jwt?: { claims: Record<string, unknown> };
  /** `AROA…:session` for a role, `AIDA…` for a user. */
  iam?: { userId: string };
}

/**
 * Who manages: the verified subject where an authorizer stands in front of the service (a JWT's `sub`, the id of an IAM role or
 * user), else whoever x-user-id names. Empty when nobody is verified, or when the header names somebody else.
 */
export function ownerOf(
  auth: Config['managementAuth'],
  event: APIGatewayProxyEventV2,
  claimed: string | undefined,
): string {
  if (auth === 'header') return claimed ?? '';
  const { authorizer } = event.requestContext as { authorizer?: Authorizer };
  const subject = auth === 'jwt' ? authorizer?.jwt?.claims.sub : authorizer?.iam?.userId.split(':')[0];
  return typeof subject === 'string' && (claimed ?? subject) === subject ? subject : '';
}
