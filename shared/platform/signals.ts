import { AsyncLocalStorage } from 'node:async_hooks';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** Makes a call of the store that is let go of when the signal says so. */
type UntilSignal = <T>(signal: AbortSignal, call: () => Promise<T>) => Promise<T>;

/**
 * Hands signals to the connections of a client past its `send`: for every call with options, and a signal is one, the SDK makes a
 * command's chain of middleware anew, which with `cacheMiddleware` it does once.
 */
export function handOnSignals(dynamoDb: Pick<DynamoDBClient, 'config'>): UntilSignal {
  const signals = new AsyncLocalStorage<AbortSignal>();
  const { requestHandler } = dynamoDb.config;
  const handle = requestHandler.handle.bind(requestHandler);
  dynamoDb.config.requestHandler = Object.assign(Object.create(requestHandler), {
    handle: (...[request, options]: Parameters<typeof handle>) =>
      handle(request, { ...options, abortSignal: signals.getStore() }),
  });
  return (signal, call) => signals.run(signal, call);
}
