import { Readable } from 'node:stream';
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

/**
 * What can go wrong between the code and its store: it refuses for too much traffic, or for another transaction; it has a fault of its own; the
 * connection is reset; no answer comes, for as long as anybody waits or so it is said at once; it does what it was asked and the answer is lost.
 */
export type InjectedFault = 'throttled' | 'conflict' | 'server error' | 'reset' | 'silent' | 'timed out' | 'lost';

/** What is asked of the store, `PutItem` for one. */
interface FaultyCall {
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

const broken = () => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET', name: 'TimeoutError' });

const noBid = (signal: AbortSignal | undefined) =>
  new Promise<never>((_, reject) => {
    const end = () => reject(Object.assign(new Error('aborted'), { name: 'AbortError' }));
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end, { once: true });
  });

/** A client of the same store whose calls meet the trouble that `troubleOf` names. */
export function faultyClient(
  client: DynamoDBClientConfig,
  troubleOf: (asked: FaultyCall) => InjectedFault | undefined | Promise<InjectedFault | undefined>,
): DynamoDBClientConfig {
  const inner = new DynamoDBClient(client).config.requestHandler as unknown as Handler;
  const handler: Handler = {
    async handle(request, more) {
      const operation = request.headers['x-amz-target']?.split('.')[1] ?? '';
      const trouble = await troubleOf({ operation, isWrite: /^(Put|Update|Delete|TransactWrite)/.test(operation) });
      if (trouble === 'throttled') return answer(400, 'ThrottlingException', { message: 'slow down' });
      if (trouble === 'conflict') return answer(400, 'TransactionCanceledException', CONFLICT);
      if (trouble === 'server error') return answer(500, 'InternalServerError', { message: 'try again' });
      if (trouble === 'reset') throw broken();
      if (trouble === 'timed out') throw Object.assign(new Error('no answer'), { name: 'TimeoutError' });
      if (trouble === 'silent') return noBid(more?.abortSignal);
      const given = await inner.handle(request, more);
      if (trouble !== 'lost') return given;
      given.response.body?.destroy(); // or its connection would be taken for ever
      throw broken();
    },
  };
  return { ...client, requestHandler: handler as DynamoDBClientConfig['requestHandler'] };
}
