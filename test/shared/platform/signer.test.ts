import { createHash, createHmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import { expect, it } from 'vitest';
import { systemClock } from '../../../shared/platform/clock.ts';
import { openDatabase } from '../../../shared/platform/dynamodb.ts';
import { systemIds } from '../../../shared/platform/ids.ts';
import { createStoreSigner } from '../../../shared/platform/signer.ts';

class Sha256 {
  readonly #hash;
  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret as string);
  }
  update(data: Uint8Array): void {
    this.#hash.update(data);
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
  reset(): void {}
}

const request = () => ({
  method: 'POST',
  protocol: 'https:',
  hostname: 'dynamodb.eu-central-1.amazonaws.com',
  path: '/',
  headers: {
    'x-amz-target': 'DynamoDB_20120810.PutItem',
    'content-type': 'application/x-amz-json-1.0',
    host: 'dynamodb.eu-central-1.amazonaws.com',
  } as Record<string, string>,
  body: '{"TableName":"ads-bids","Item":{"id":{"S":"ü🙂"}}}',
});

it('A call of the store has the signature that the SDK’s own signer gives, on every day, in every region and with every key', async () => {
  let credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string };
  let signingRegion: string;
  const given = async () => credentials;
  const ours = createStoreSigner(() => ({ credentials: given as never, region: async () => signingRegion }));
  const theirs = new SignatureV4({
    service: 'dynamodb',
    region: '-',
    credentials: () => given(),
    sha256: Sha256 as never,
    applyChecksum: false,
  });
  const signed: string[] = [];
  for (const identity of [
    { accessKeyId: 'AKIA1', secretAccessKey: 'one' },
    { accessKeyId: 'ASIA2', secretAccessKey: 'two/+', sessionToken: 'token/+==' },
  ])
    for (const region of ['eu-central-1', 'us-east-1'])
      for (const day of ['2026-11-23T23:59:59.999Z', '2026-11-24T00:00:00.000Z']) {
        [credentials, signingRegion] = [identity, region];
        const asked = { signingDate: new Date(day), signingRegion, signingService: 'dynamodb' };
        const { headers } = await ours.sign(request(), asked);
        expect(headers).toEqual((await theirs.sign(request(), asked)).headers);
        signed.push(headers.authorization!);
      }
  expect(new Set(signed).size).toBe(8);
});

it('What is between a client and the store may add headers: only those that AWS asks for are signed', async () => {
  const credentials = async () => ({ accessKeyId: 'a', secretAccessKey: 'b' });
  const ours = createStoreSigner(() => ({ credentials: credentials as never, region: async () => 'r' }));
  const asked = { signingDate: new Date(0) };
  const more = request();
  more.headers['user-agent'] = 'other';
  const [{ headers: one }, { headers: two }] = [await ours.sign(request(), asked), await ours.sign(more, asked)];
  expect(two.authorization).toBe(one.authorization);
  expect(two.authorization).toContain('SignedHeaders=content-type;host;x-amz-date;x-amz-target,');
});

/** The headers of two calls of a store in Frankfurt, whose answers say that it is another time there. */
async function headersOfCalls(client: { endpoint?: string } = {}) {
  const sent: Record<string, string>[] = [];
  const requestHandler = {
    metadata: { handlerProtocol: 'http/1.1' },
    async handle({ headers }: { headers: Record<string, string> }) {
      sent.push({ ...headers });
      const answer = { 'content-type': 'application/x-amz-json-1.0', date: 'Mon, 23 Nov 2020 12:00:00 GMT' };
      return { response: { statusCode: 200, headers: answer, body: Buffer.from('{}') } };
    },
    updateHttpClientConfig() {},
    httpHandlerConfigs: () => ({}),
  };
  const region = 'eu-central-1';
  const credentials = { accessKeyId: 'AKIA1', secretAccessKey: 'one' };
  const own = { ...client, region, credentials, requestHandler: requestHandler as never };
  const db = openDatabase({ prefix: 'ads-', clock: systemClock, ids: systemIds, client: own });
  await db.get('bids', { id: 'one' });
  await db.get('bids', { id: 'two' });
  return sent;
}

it.each([{}, { endpoint: 'http://127.0.0.1:8000' }])(
  'A call of a region’s store is signed for DynamoDB in that region: %o',
  async (client) => {
    for (const { authorization } of await headersOfCalls(client))
      expect(authorization).toMatch(/Credential=AKIA1\/\d{8}\/eu-central-1\/dynamodb\/aws4_request,/);
  },
);

it('A call is signed at the time it is made, whatever time an answer said that came late', async () => {
  const days = (await headersOfCalls()).map((headers) => headers['x-amz-date']?.slice(0, 4));
  expect(days).toEqual([expect.not.stringMatching('2020'), expect.not.stringMatching('2020')]);
});
