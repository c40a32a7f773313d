import { expect, it } from 'vitest';
import { loadWorker } from '../../infra/local/functions.ts';
import type { Database } from '../../shared/platform/database.ts';
import { Unavailable } from '../../shared/platform/unavailable.ts';
import { useServiceInMemory } from '../memory/stack.ts';
import { createCaller, createHandlers } from '../service.ts';

// @module-tag whole
const service = useServiceInMemory({ LOG_LEVEL: 'debug' });

const TEXT = 'my sister Ottilie Quandt wants running shoes';
const ADDRESS = '198.51.100.77';
const SECRETS = ['Ottilie', 'Quandt', ADDRESS, 'reader@example.com'];

/** A store whose error messages contain everything it received, as a careless one might. */
const failing = (how: (received: string) => Error): Database => {
  const fail = async (...received: unknown[]): Promise<never> => {
    throw how(JSON.stringify(received));
  };
  return {
    get: fail,
    getAll: fail,
    write: fail,
    transact: fail,
    // biome-ignore lint/correctness/useYield: it fails before it has anything to give.
    async *query(received) {
      await fail(received);
    },
  };
};

it('never logs a key, conversation text, or a full address, whatever happens', async () => {
  const key = await service.key();
  await service.campaign();
  const { body: webhook } = await service.user()('POST', '/webhooks', {
    url: 'http://127.0.0.1:47998/hooks?token=reader@example.com',
    events: ['ad.impression', 'ad.click'],
  });
  const { effects } = service.stack;
  const passing = await createHandlers({
    ...effects,
    db: failing((received) => new Unavailable('no', { cause: received })),
  });
  const broken = await createHandlers({
    ...effects,
    db: failing((received) => new TypeError(`cannot store ${received}`)),
  });

  for (const handlers of [service.stack.handlers, passing, broken]) {
    const call = createCaller(() => handlers);
    const headers = { 'x-api-key': key, referer: 'https://chat.example/', 'user-agent': 'Mozilla/5.0' };
    const messages = [{ role: 'user', content: TEXT }];
    const from = { headers, sourceIp: ADDRESS };
    const { body } = await call('POST', '/api/v1/ssp/bid', { ...from, body: { countryCode: 'US', messages } });
    const bidId = body?.bidId ?? crypto.randomUUID();
    await call('POST', '/api/v1/ssp/bid', { ...from, body: { countryCode: 'US', messages: TEXT } });
    await call('POST', '/api/v1/ssp/bid', { ...from, body: `{"messages": ${TEXT}` });
    await call('GET', `/api/v1/ssp/ad/${bidId}`, from);
    await call('GET', `/api/v1/click/${bidId}`, { ...from, query: `api_key=${key}` });
    const context = { conversation: TEXT, userQuery: TEXT, metadata: { userId: 'reader@example.com' } };
    await call('POST', '/api/v1/ad-serving/request', { ...from, body: { context } });
    await call('GET', `/nowhere/${key}`, from);
  }
  await service.stack.drain();
  const worker = await loadWorker('events/deliver', { ...effects, db: failing((received) => new TypeError(received)) });
  const message = { owner: 'alice', webhookId: webhook.id, event: { id: 'e', data: { conversation: TEXT } } };
  await worker({ Records: [{ messageId: '1', receiptHandle: '1', body: JSON.stringify(message) }] } as never);

  expect(service.lines.length).toBeGreaterThan(20);
  for (const line of service.lines) {
    for (const secret of [...SECRETS, key, webhook.secret]) expect(line).not.toContain(secret);
  }
});
