import { Readable } from 'node:stream';
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

/**
 * Faults between the service and its store: throttling, a conflict with another transaction, a server error, a connection reset, no
 * response until the caller aborts, an immediate timeout, and a call that is applied but whose response is lost.
 */
export type InjectedFault = 'throttled' | 'conflict' | 'server error' | 'reset' | 'silent' | 'timed out' | 'lost';

interface FaultyCall {
  /** For example `PutItem`. */
  operation: string;
  isWrite: boolean;
}

interface Handler {
  handle(
    request: { headers: Record<string, string> },
    more?: { abortSignal?: AbortSignal },
  ): Promise<{ response: { body?: Readable } }>;
}

const answer = (statusCode: number, type: string, more: object = {}) => ({
  response: {
    statusCode,
    headers: { 'content-type': 'application/x-amz-json-1.0' },
    body: Readable.from([Buffer.from(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, ...more }))]),
  },
});

const CONFLICT = {
  message: 'cancelled',
  CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict', Message: 'busy' }],
};

const createResetError = () => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET', name: 'TimeoutError' });

const hangUntilAborted = (signal: AbortSignal | undefined) =>
  new Promise<never>((_, reject) => {
    const end = () => reject(Object.assign(new Error('aborted'), { name: 'AbortError' }));
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end, { once: true });
  });

/** A client of the same store. `pickFault` chooses the fault of each call. */
export function faultyClient(
  client: DynamoDBClientConfig,
  pickFault: (call: FaultyCall) => InjectedFault | undefined | Promise<InjectedFault | undefined>,
): DynamoDBClientConfig {
  const inner = new DynamoDBClient(client).config.requestHandler as unknown as Handler;
  const handler: Handler = {
    async handle(request, more) {
      const operation = request.headers['x-amz-target']?.split('.')[1] ?? '';
      const fault = await pickFault({ operation, isWrite: /^(Put|Update|Delete|TransactWrite)/.test(operation) });
      if (fault === 'throttled') return answer(400, 'ThrottlingException', { message: 'slow down' });
      if (fault === 'conflict')
        return operation === 'TransactWriteItems'
          ? answer(400, 'TransactionCanceledException', CONFLICT)
          : answer(400, 'TransactionConflictException', { message: 'busy' });
      if (fault === 'server error') return answer(500, 'InternalServerError', { message: 'try again' });
      if (fault === 'reset') throw createResetError();
      if (fault === 'timed out') throw Object.assign(new Error('no answer'), { name: 'TimeoutError' });
      if (fault === 'silent') return hangUntilAborted(more?.abortSignal);
      const result = await inner.handle(request, more);
      if (fault !== 'lost') return result;
      result.response.body?.destroy(); // otherwise its connection is never released
      throw createResetError();
    },
  };
  return { ...client, requestHandler: handler as DynamoDBClientConfig['requestHandler'] };
}
