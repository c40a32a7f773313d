import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { HttpHandlers } from '../../../infra/local/functions.ts';
import { findDueDelivery, recordDelivery } from '../../../shared/webhooks/deliveries.ts';
import { createSampleEvent } from '../../../shared/webhooks/events/samples.ts';
import { EVENT_TYPES, type EventType } from '../../../shared/webhooks/events/types.ts';
import { useServiceInMemory } from '../../memory/stack.ts';
import { startReceiver } from '../../receiver.ts';
import { createCaller, createHandlers, MORNING } from '../../service.ts';

// @module-tag whole
const service = useServiceInMemory();
const NOT_FOUND = { status: 404, body: { error: 'Not found', message: 'Webhook not found', statusCode: 404 } };

/** Long enough for a test delivery on a busy machine. */
let patient: HttpHandlers;
const test = (user: string, id: string, body?: unknown) =>
  createCaller(() => patient)('POST', `/api/v1/webhooks/${id}/test`, { headers: { 'x-user-id': user }, body });
beforeAll(async () => {
  patient = await createHandlers({
    ...service.stack.effects,
    config: { ...service.config, webhookTimeoutMs: 60_000 },
  });
});

let users = 0;
async function webhook(url = 'https://public.test/', events: EventType[] = ['ad.click', 'ad.impression']) {
  const user = `user-${++users}`;
  const { body } = await service.user(user)('POST', '/webhooks', { url, events });
  const call = (method: string, path = '', content?: unknown) =>
    service.user(user)(method, `/webhooks/${body.id}${path}`, content);
  return { user, id: body.id as string, secret: body.secret as string, call };
}
const find = (owner: string, webhookId: string, event = createSampleEvent('ad.click', 'one', MORNING)) =>
  findDueDelivery(service.stack.effects, { owner, webhookId, event });
/** A due delivery without a recorded attempt. */
const begin = async (...of: Parameters<typeof find>) => {
  const due = await find(...of);
  if (due.outcome === 'due') await recordDelivery(service.stack.effects, due.delivery, 'pending', MORNING);
};

describe('GET /webhooks/{id}/deliveries', () => {
  it('is empty before the first event', async () => {
    const { call } = await webhook();
    expect(await call('GET', '/deliveries')).toMatchObject({ status: 200, body: [] });
  });

  it('returns the same as the webhook on request', async () => {
    const { user, id, call } = await webhook();
    await begin(user, id);
    const shown = await service.call('GET', `/api/v1/webhooks/${id}`, {
      query: 'deliveries=true',
      headers: { 'x-user-id': user },
    });
    const { body: deliveries } = await call('GET', '/deliveries');
    expect(deliveries).toHaveLength(1);
    expect(shown.body).toEqual({ ...(await call('GET')).body, deliveries });
  });

  it('shows the event, its state, and every attempt', async () => {
    const { user, id, call } = await webhook();
    const event = createSampleEvent('ad.click', 'one', MORNING);
    const due = await find(user, id);
    if (due.outcome !== 'due') throw new Error(due.outcome);
    const failed = {
      at: MORNING,
      success: false,
      statusCode: 500,
      durationMs: 12,
      error: 'The receiver responded with 500',
    };
    await recordDelivery(
      service.stack.effects,
      { ...due.delivery, attempts: [failed], failures: 1 },
      'pending',
      MORNING,
    );
    const attempt = {
      time: '2026-11-20T09:00:00.000Z',
      statusCode: 500,
      durationMs: 12,
      error: 'The receiver responded with 500',
    };
    expect((await call('GET', '/deliveries')).body).toEqual([
      { id: event.id, eventId: event.id, type: 'ad.click', status: 'pending', isTest: false, attempts: [attempt] },
    ]);
  });

  it('lists the last hundred, newest first, also if the store needs several pages', async () => {
    const { user, id, call } = await webhook();
    const events = Array.from({ length: 130 }, (_, n) => {
      const event = createSampleEvent('campaign.created', `event ${n}`, MORNING + n * 1_000);
      return { ...event, data: { ...event.data, target_audience: 'x'.repeat(20_000) } };
    });
    await Promise.all(events.map((event) => begin(user, id, event)));
    const { body } = await call('GET', '/deliveries');
    expect(body.map((delivery: { id: string }) => delivery.id)).toEqual(
      events
        .map((event) => event.id)
        .reverse()
        .slice(0, 100),
    );
  });
});

describe('GET /webhooks/{id}/deliveries/{deliveryId}', () => {
  it('shows the posted body and the responses to the last six failed attempts', async () => {
    const { user, id, call } = await webhook();
    const due = await find(user, id);
    if (due.outcome !== 'due') throw new Error(due.outcome);
    const failed = (n: number) => ({
      at: MORNING + n,
      success: false,
      statusCode: 500,
      durationMs: 1,
      error: 'The receiver responded with 500',
      answer: `<b>${n}</b>`,
    });
    const attempts = Array.from({ length: 8 }, (_, n) => failed(n));
    await recordDelivery(service.stack.effects, { ...due.delivery, attempts, failures: 8 }, 'failed', MORNING);
    const { status, body } = await call('GET', `/deliveries/${due.delivery.eventId}`);
    expect([status, body.status, body.payload]).toEqual([200, 'failed', due.delivery.event]);
    const answers = body.attempts.map(({ answer }: { answer: string }) => answer);
    expect(answers).toEqual([null, null, ...[2, 3, 4, 5, 6, 7].map((n) => `<b>${n}</b>`)]);
  });

  it.each(['evt_0000000000000000000000', 'nothing'])('returns 404 for an unknown delivery: %s', async (deliveryId) => {
    const { call } = await webhook();
    expect(await call('GET', `/deliveries/${deliveryId}`)).toMatchObject({
      status: 404,
      body: { message: 'Delivery not found' },
    });
  });
});

describe('Redelivery', () => {
  it.each([
    ['no delivery of this webhook', createSampleEvent('ad.click', 'never', MORNING).id],
    ['no id at all', 'nothing'],
    ['an id with a quote', 'evt_%27'],
  ])('returns 404 for %s', async (_, deliveryId) => {
    const { call } = await webhook();
    expect(await call('POST', `/deliveries/${deliveryId}/redeliver`)).toMatchObject({
      status: 404,
      body: { error: 'Not found', message: 'Delivery not found' },
    });
  });

  it('returns the delivery as pending and keeps its attempts', async () => {
    const { user, id, call } = await webhook();
    const due = await find(user, id);
    if (due.outcome !== 'due') throw new Error(due.outcome);
    const done = { at: MORNING, success: true, statusCode: 200, durationMs: 1, error: null };
    await recordDelivery(service.stack.effects, { ...due.delivery, attempts: [done] }, 'delivered', MORNING);
    const { status, body } = await call('POST', `/deliveries/${due.delivery.eventId}/redeliver`);
    expect([status, body.status, body.attempts.length]).toEqual([200, 'pending', 1]);
  });
});

describe('A test delivery', () => {
  it('is one signed request with a sample of the first event type of the webhook', async () => {
    const receiver = await startReceiver();
    const { user, id, call, secret } = await webhook(receiver.url, ['campaign.paused', 'ad.click']);
    const { status, body } = await test(user, id);
    const event = JSON.parse(receiver.requests[0]!.body);
    expect([status, body]).toEqual([
      200,
      { success: true, statusCode: 200, durationMs: 0, eventId: event.id, error: null, answer: null, payload: event },
    ]);
    expect(event).toMatchObject({ type: 'campaign.paused', api_version: 'v1', created: '2026-11-20T09:00:00.000Z' });
    expect(receiver.requests[0]!.headers).toMatchObject({
      'service-signature': `sha256=${createHmac('sha256', secret).update(receiver.requests[0]!.body).digest('hex')}`,
      'webhook-id': event.id,
    });
    const delivery = { id: event.id, eventId: event.id, type: 'campaign.paused', status: 'delivered', isTest: true };
    const attempt = { time: '2026-11-20T09:00:00.000Z', statusCode: 200, durationMs: 0, error: null };
    expect((await call('GET', '/deliveries')).body).toEqual([{ ...delivery, attempts: [attempt] }]);
  });

  it.each(EVENT_TYPES)('uses the requested type, subscribed or not, and is recorded: %s', async (type) => {
    const receiver = await startReceiver((response) => response.writeHead(200).end('Thanks'));
    const { user, id, call } = await webhook(receiver.url);
    const { body } = await test(user, id, { type });
    const sent = JSON.parse(receiver.requests[0]!.body);
    expect([body.success, sent.type, body.payload]).toEqual([true, type, sent]);
    expect((await call('GET', `/deliveries/${body.eventId}`)).body).toMatchObject({
      ...{ type, status: 'delivered', isTest: true, payload: sent },
      attempts: [{ statusCode: 200, answer: 'Thanks' }],
    });
  });

  it('that failed is sent again only on request, as a test: with the same body, and without retries', async () => {
    const receiver = await startReceiver((response) => response.writeHead(500).end('Closed'));
    const { user, id, call } = await webhook(receiver.url);
    const before = (await call('GET')).body;
    const { eventId } = (await test(user, id)).body;
    const path = `/deliveries/${eventId}`;
    expect((await call('POST', '/redeliver-failed')).body).toMatchObject({ redelivered: 0, remaining: 0 });
    const again = () =>
      createCaller(() => patient)('POST', `/api/v1/webhooks/${id}${path}/redeliver`, {
        headers: { 'x-user-id': user },
      });
    expect((await again()).body).toMatchObject({ id: eventId, status: 'failed', isTest: true });
    await service.stack.drain();
    expect(receiver.requests.map(({ body }) => body)).toEqual(Array(2).fill(receiver.requests[0]!.body));
    const { body } = await call('GET', path);
    expect(body).toMatchObject({ status: 'failed', attempts: [{ answer: 'Closed' }, { answer: 'Closed' }] });
    expect((await call('GET')).body).toEqual(before);
  });

  it('that is sent again four times at once records every attempt that the receiver got', async () => {
    const receiver = await startReceiver();
    const { user, id, call } = await webhook(receiver.url);
    const { eventId } = (await test(user, id)).body;
    const path = `/deliveries/${eventId}`;
    await Promise.all(Array.from({ length: 4 }, () => call('POST', `${path}/redeliver`)));
    expect(receiver.requests).toHaveLength(5);
    expect((await call('GET', path)).body.attempts).toHaveLength(5);
  });

  it('is listed among the deliveries by time, and hides none of them, however many tests there are', async () => {
    const receiver = await startReceiver();
    const { user, id, call } = await webhook(receiver.url);
    const events = Array.from({ length: 100 }, (_, n) => createSampleEvent('ad.click', `event ${n}`, MORNING - 50 + n));
    await Promise.all(events.map((event) => begin(user, id, event)));
    for (let n = 0; n < 22; n++) await test(user, id);
    const listed = (await call('GET', '/deliveries')).body as { eventId: string; isTest: boolean }[];
    const [tests, others] = [listed.filter(({ isTest }) => isTest), listed.filter(({ isTest }) => !isTest)];
    expect(tests).toHaveLength(20);
    expect(others.map(({ eventId }) => eventId)).toEqual(events.map((event) => event.id).reverse());
    const ids = listed.map(({ eventId }) => eventId);
    expect(ids).toEqual(ids.toSorted().reverse());
  });

  it('returns the first kilobyte of the response as text', async () => {
    const receiver = await startReceiver((response) => response.writeHead(418).end(`teapöt ${'ö'.repeat(600)}`));
    const { user, id } = await webhook(receiver.url);
    const { body } = await test(user, id);
    expect(body).toMatchObject({ success: false, statusCode: 418, answer: expect.stringMatching(/^teapöt ö+$/) });
    expect(Buffer.byteLength(body.answer)).toBeGreaterThan(1_021);
    expect(Buffer.byteLength(body.answer)).toBeLessThanOrEqual(1_024);
    expect(service.lines.join()).not.toContain('teap');
  });

  it('rejects an unknown type and sends nothing', async () => {
    const receiver = await startReceiver();
    const { user, id } = await webhook(receiver.url);
    expect(await test(user, id, { type: 'ad.seen' })).toMatchObject({
      status: 400,
      body: { error: 'Validation failed', message: expect.stringMatching(/^type must be one of ad\.impression/) },
    });
    expect(receiver.requests).toEqual([]);
  });

  it("returns 200 with the failure of the receiver, without retries or a change of the webhook's health", async () => {
    const receiver = await startReceiver((response) => response.writeHead(500).end());
    const { user, id, call } = await webhook(receiver.url);
    const before = (await call('GET')).body;
    expect(await test(user, id)).toMatchObject({
      status: 200,
      body: { success: false, statusCode: 500, error: 'The receiver responded with 500' },
    });
    await service.stack.drain();
    expect(receiver.requests).toHaveLength(1);
    expect((await call('GET')).body).toEqual(before);
  });

  it('reports a receiver that hangs, is closed, or resolves elsewhere now', async () => {
    const hanging = await startReceiver(() => {});
    const { call } = await webhook(hanging.url);
    const testing = call('POST', '/test');
    await expect.poll(() => hanging.requests.length).toBe(1);
    service.clock.advance(10_000);
    expect((await testing).body).toMatchObject({ success: false, statusCode: null, error: 'No response within 10 s' });
    await hanging.close();
    expect((await call('POST', '/test')).body.error).toMatch(/ECONNREFUSED/);
    const elsewhere = await webhook('https://gone.test/');
    expect((await elsewhere.call('POST', '/test')).body.error).toBe('gone.test has no IP address');
  });

  it('has a new id every time', async () => {
    const receiver = await startReceiver();
    const { user, id } = await webhook(receiver.url);
    const ids = [await test(user, id), await test(user, id)].map(({ body }) => body.eventId);
    expect(new Set(ids).size).toBe(2);
  });
});

describe("Another user's webhook", () => {
  it.each([
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['GET', '/deliveries'],
    ['POST', '/test'],
    ['POST', '/rotate-secret'],
    ['POST', `/deliveries/${createSampleEvent('ad.click', 'one', MORNING).id}/redeliver`],
  ])('%s %s returns 404 and does nothing', async (method, path) => {
    const receiver = await startReceiver();
    const { user, id, secret, call } = await webhook(receiver.url);
    await begin(user, id);
    const before = [(await call('GET')).body, (await call('GET', '/deliveries')).body];
    const body = method === 'PATCH' ? { status: 'disabled' } : undefined;
    expect(await service.user('mallory')(method, `/webhooks/${id}${path}`, body)).toMatchObject(NOT_FOUND);
    await service.stack.drain();
    expect([(await call('GET')).body, (await call('GET', '/deliveries')).body]).toEqual(before);
    expect(await service.stack.effects.db.get('webhooks', { owner: user, id })).toMatchObject({ secret });
    expect(receiver.requests).toEqual([]);
  });
});

// Last, because on a stopped clock its hundred messages wait for each other, and every later `drain` would process them again.
describe('Redelivery of failed events', () => {
  it('restarts the newest hundred once for two concurrent requests, and reports how many remain', async () => {
    const { user, id, call } = await webhook();
    const events = Array.from({ length: 103 }, (_, n) => createSampleEvent('ad.click', `${n}`, MORNING + n * 1_000));
    await Promise.all(
      events.map(async (event, n) => {
        const due = await find(user, id, event);
        if (due.outcome !== 'due') throw new Error(due.outcome);
        const status = n === 0 ? 'delivered' : 'failed';
        await recordDelivery(service.stack.effects, { ...due.delivery, failures: 6 }, status, MORNING);
      }),
    );
    await call('PATCH', '', { status: 'disabled' });
    const disabled = {
      status: 409,
      body: { error: 'Conflict', message: 'The webhook is disabled; activate it first', statusCode: 409 },
    };
    expect(await call('POST', '/redeliver-failed')).toMatchObject(disabled);
    expect(await call('POST', `/deliveries/${events[1]!.id}/redeliver`)).toMatchObject(disabled);
    expect((await find(user, id, events[1]!)).outcome).toBe('over');
    await call('PATCH', '', { status: 'active' });
    const both = await Promise.all([call('POST', '/redeliver-failed'), call('POST', '/redeliver-failed')]);
    expect(both.reduce((sum, { body }) => sum + body.redelivered, 0)).toBeLessThanOrEqual(102);
    const statuses = async () => {
      const { body } = await call('GET', '/deliveries');
      return new Set(body.map(({ status }: { status: string }) => status));
    };
    expect(await statuses()).toEqual(new Set(['pending']));
    const last = await call('POST', '/redeliver-failed');
    expect(both[0]!.body.redelivered + both[1]!.body.redelivered + last.body.redelivered).toBe(102);
    expect(last).toMatchObject({ status: 200, body: { remaining: 0, more: false, next: null } });
    const nothing = { redelivered: 0, remaining: 0, more: false, next: null };
    expect((await call('POST', '/redeliver-failed')).body).toEqual(nothing);
    const one = await service.stack.effects.db.get('deliveries', { webhookId: id, eventId: events[50]!.id });
    expect(one).toMatchObject({ status: 'pending', failures: 0, redeliveries: 1 });
    await call('DELETE'); // there is no receiver, so nothing may be sent
  });

  it.each(['', 'evt_1', 'evt_1&before=evt_2'])('rejects an invalid event id as `before`: %s', async (before) => {
    const { user, id } = await webhook();
    const message = 'before must be the id of an event, such as next in the previous response';
    expect(
      await service.call('POST', `/api/v1/webhooks/${id}/redeliver-failed`, {
        headers: { 'x-user-id': user },
        query: `before=${before}`,
      }),
    ).toMatchObject({
      status: 400,
      body: { error: 'Validation failed', message, details: [{ path: 'before', message }] },
    });
  });

  it("returns 404 for another owner's webhook", async () => {
    const { id } = await webhook();
    expect((await service.user('stranger')('POST', `/webhooks/${id}/redeliver-failed`)).status).toBe(404);
  });
});
