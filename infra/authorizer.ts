import type { IHttpRouteAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpIamAuthorizer, HttpJwtAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import type { Settings } from './settings.ts';

/** What stands in front of the management routes: nothing for the header x-user-id, which trusts its caller. */
export function managementAuthorizer({ management }: Settings): IHttpRouteAuthorizer | undefined {
  if (management.auth === 'iam') return new HttpIamAuthorizer();
  if (management.auth === 'jwt') {
    return new HttpJwtAuthorizer('management', management.issuer, { jwtAudience: management.audience });
  }
  return undefined;
}
