import type { Config } from '../platform/config.ts';

type Authentication = Config['managementAuth'];

/** The subject that an authorizer in front of the service verified, by kind of authentication. */
export type Verified = { readonly [A in Exclude<Authentication, 'header'>]?: string };

/**
 * The owner of a management request: the verified subject if the service is behind an authorizer (a JWT's `sub`, the id of an IAM
 * role or user), otherwise the value of x-user-id. Empty if no subject is verified, or if the header names a different one.
 */
export function getOwner(auth: Authentication, verified: Verified, claimed: string | null): string {
  if (auth === 'header') return claimed ?? '';
  const subject = verified[auth] ?? '';
  return (claimed ?? subject) === subject ? subject : '';
}
