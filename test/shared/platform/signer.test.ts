import { createHash, createHmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import { expect, it } from 'vitest';
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
  const given = async () => credentials;
  const ours = createStoreSigner(given as never);
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
    for (const signingRegion of ['eu-central-1', 'us-east-1'])
      for (const day of ['2026-11-23T23:59:59.999Z', '2026-11-24T00:00:00.000Z']) {
        credentials = identity;
        const asked = { signingDate: new Date(day), signingRegion, signingService: 'dynamodb' };
        const { headers } = await ours.sign(request(), asked);
        expect(headers).toEqual((await theirs.sign(request(), asked)).headers);
        signed.push(headers.authorization!);
      }
  expect(new Set(signed).size).toBe(8);
});

it('What is between a client and the store may add headers: only those that AWS asks for are signed', async () => {
  const ours = createStoreSigner((async () => ({ accessKeyId: 'a', secretAccessKey: 'b' })) as never);
  const asked = { signingDate: new Date(0), signingRegion: 'r', signingService: 'dynamodb' };
  const more = request();
  more.headers['user-agent'] = 'other';
  const [{ headers: one }, { headers: two }] = [await ours.sign(request(), asked), await ours.sign(more, asked)];
  expect(two.authorization).toBe(one.authorization);
  expect(two.authorization).toContain('SignedHeaders=content-type;host;x-amz-date;x-amz-target,');
});
