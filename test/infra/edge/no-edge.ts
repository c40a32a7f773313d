/** The runtime of Workers: it is not there where workerd has no binary. */
const RUNTIME = 'miniflare';

/** Why tests that need it are skipped, where they are. */
export const noEdge: string | undefined = await import(RUNTIME).then(
  () => undefined,
  ({ message }: Error) => message.split('\n')[0],
);
