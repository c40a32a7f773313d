import type { Plugin } from 'esbuild';

/**
 * Lambda hands credentials over in the environment, always. The SDK would bring the ways of single sign-on, profiles, web
 * identities and instances along: a fifth of each bundle that is read at every cold start and never used. They are those of the instance for
 * as long as it lives, and read once: the SDK asks for them three times a call.
 */
export const credentials: Plugin = {
  name: 'credentials',
  setup(run) {
    run.onResolve({ filter: /^@aws-sdk\/credential-provider-node$/ }, () => ({
      path: 'environment',
      namespace: 'credentials',
    }));
    run.onLoad({ filter: /.*/, namespace: 'credentials' }, () => ({
      contents: `
        import { fromEnv } from '@aws-sdk/credential-provider-env';
        export function defaultProvider(init) {
          let read;
          return () => (read ??= fromEnv(init)());
        }`,
      resolveDir: import.meta.dirname,
    }));
  },
};

/**
 * The SDK loads what reads a stream of events when a call has one. No function makes such a call, and each would have it whole, with all that
 * it touches: 20 KB.
 */
export const eventStreams: Plugin = {
  name: 'event streams',
  setup(run) {
    run.onResolve({ filter: /^@smithy\/core\/event-streams$/ }, ({ path, kind }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    );
  },
};
