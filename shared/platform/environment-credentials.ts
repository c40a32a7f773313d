import { fromEnv } from '@aws-sdk/credential-provider-env';

/**
 * Replaces `@aws-sdk/credential-provider-node` in the bundles. Lambda always passes credentials in the environment. Support for profiles,
 * single sign-on, web identities, and instance metadata would slow every cold start with code that never runs.
 */
export const defaultProvider = fromEnv;
