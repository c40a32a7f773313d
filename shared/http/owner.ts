import type { Config } from '../platform/config.ts';

type Authentication = Config['managementAuth'];

/** Whom an authorizer in front of the service has verified, each in its own way. */
export type Verified = { readonly [A in Exclude<Authentication, 'header'>]?: string };

/**
 * Who manages: the verified subject where an authorizer stands in front of the service (a JWT's `sub`, the id of an IAM role or
 * user), else whoever x-user-id names. Empty when nobody is verified, or when the header names somebody else.
 */
export function getOwner(auth: Authentication, verified: Verified, claimed: string | null): string {
  if (auth === 'header') return claimed ?? '';
  const subject = verified[auth] ?? '';
  return (claimed ?? subject) === subject ? subject : '';
}
