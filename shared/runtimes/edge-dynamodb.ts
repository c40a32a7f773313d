import { createStoreSigner } from '../platform/signer.ts';

/**
 * What stands in the place of the SDK's client where its weight counts, under the SDK's names: the calls that are made here, over
 * fetch. Retries, deadlines and what answers mean are the same code on either.
 */

/** One call of the JSON protocol; `target` is the operation's name in it. */
abstract class Call {
  abstract readonly target: string;
  readonly input: object;
  constructor(input: object) {
    this.input = input;
  }
}

export class GetItemCommand extends Call {
  readonly target = 'GetItem';
}
export class BatchGetItemCommand extends Call {
  readonly target = 'BatchGetItem';
}
export class QueryCommand extends Call {
  readonly target = 'Query';
}
export class PutItemCommand extends Call {
  readonly target = 'PutItem';
}
export class UpdateItemCommand extends Call {
  readonly target = 'UpdateItem';
}
export class DeleteItemCommand extends Call {
  readonly target = 'DeleteItem';
}
export class TransactWriteItemsCommand extends Call {
  readonly target = 'TransactWriteItems';
}

export class TransactionCanceledException extends Error {
  declare CancellationReasons?: object[];
}

interface ClientSettings {
  region: string;
  endpoint?: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
}

export class DynamoDBClient {
  readonly #url: URL;
  readonly #signer: ReturnType<typeof createStoreSigner>;
  /** The SDK's client does more around a call, which callers take away; here there is none of it. */
  readonly middlewareStack = { remove() {}, add() {} };

  readonly config = {
    requestHandler: {
      handle: (request: RequestInit, { abortSignal }: { abortSignal?: AbortSignal } = {}) =>
        exchange(this.#url, { ...request, signal: abortSignal }),
    },
  };

  constructor({ region, endpoint = `https://dynamodb.${region}.amazonaws.com`, credentials }: ClientSettings) {
    this.#url = new URL(endpoint);
    const config = { credentials: async () => credentials, region: async () => region };
    this.#signer = createStoreSigner(() => config);
  }

  async send({ target, input }: Call): Promise<object> {
    const { protocol, host: hostname, pathname: path } = this.#url;
    const body = JSON.stringify(input, encodeBytes);
    const method = 'POST';
    const named = {
      host: hostname,
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDB_20120810.${target}`,
    };
    const asked = { method, protocol, hostname, path, headers: named, body };
    const { headers } = await this.#signer.sign(asked, { signingDate: new Date() });
    const { ok, status, text } = await this.config.requestHandler.handle({ method, headers, body });
    const answer = parse(text);
    if (ok && answer) return answer;
    throw failure(status, answer ?? (ok ? { $fault: 'server' } : {}));
  }
}

/** Whether a call failed on its way. Otherwise it was given up, or is one that no attempt will make: of a wrong header, or one too many for a Worker. */
const isLost = (error: unknown): boolean =>
  error instanceof TypeError ? error.cause !== undefined : !/subrequest|different request/i.test(String(error));

/** What fetch says of a connection differs from runtime to runtime; another attempt makes a new one. */
const lost = (cause: unknown): Error =>
  Object.assign(new Error('the store cannot be reached', { cause }), { code: 'ECONNRESET' });

async function exchange(url: URL, init: RequestInit): Promise<{ ok: boolean; status: number; text: string }> {
  const failedAs = (isSo: (error: unknown) => boolean) => (error: unknown) => {
    throw !init.signal?.aborted && isSo(error) ? lost(error) : error;
  };
  // A signed call is for the store alone, wherever an answer points to.
  const response = await fetch(url, { ...init, redirect: 'manual' }).catch(failedAs(isLost));
  const { ok, status } = response;
  // Whatever is wrong with what comes back, one that cannot be unpacked too, came about on the way.
  return { ok, status, text: await response.text().catch(failedAs(() => true)) };
}

/** The type's name alone is a text under `B` where an attribute is binary; a field called so holds an object. */
const encodeBytes = (key: string, value: unknown): unknown =>
  key === 'B' && value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;

const decodeBytes = (key: string, value: unknown): unknown =>
  key === 'B' && typeof value === 'string' ? new Uint8Array(Buffer.from(value, 'base64')) : value;

interface StoreAnswer {
  $fault?: 'server';
  __type?: string;
  message?: string;
  Message?: string;
}

/** Undefined for what is no JSON object: it comes from something between here and the store. */
function parse(text: string): StoreAnswer | undefined {
  try {
    const answer: unknown = JSON.parse(text, text.includes('"B":') ? decodeBytes : undefined);
    return answer instanceof Object ? answer : undefined;
  } catch {
    return undefined;
  }
}

function failure(status: number, { __type = '', Message, message = Message, ...more }: StoreAnswer): Error {
  const name = __type.slice(__type.lastIndexOf('#') + 1) || 'UnknownError';
  const Type = name === 'TransactionCanceledException' ? TransactionCanceledException : Error;
  return Object.assign(new Type(message), more, { name, $metadata: { httpStatusCode: status } });
}
