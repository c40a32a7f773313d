import { fromEnv } from '@aws-sdk/credential-provider-env';

/**
 * Replaces `@aws-sdk/credential-provider-node` in the bundles. Lambda always passes credentials in the environment, so profiles, single sign-on,
 * web identities and instance metadata would only make every cold start load code that never runs.
 */
export const defaultProvider = fromEnv;
