import { Webhook as Verifier } from 'standardwebhooks';
import { describe, expect, it, vi } from 'vitest';
import { useServiceInMemory } from '../../memory/stack.ts';
import { startReceiver, type TestReceiver } from '../../receiver.ts';

// No delays between attempts, because SQS uses real time. test/shared/webhooks/deliver.test.ts tests the retry schedule.
// @module-tag whole
const service = useServiceInMemory({ WEBHOOK_BACKOFF_SECONDS: '0,0,0,0,0' });

let users = 0;
const newUser = () => `user-${++users}`;
const register = async (user: string, url: string, events: string[]) =>
  (await service.user(user)('POST', '/webhooks', { url, events })).body;
const read = async (user: string, path: string) => (await service.user(user)('GET', `/webhooks/${path}`)).body;
const bodies = ({ requests }: TestReceiver) => requests.map(({ body }) => JSON.parse(body));
const types = (receiver: TestReceiver) => bodies(receiver).map(({ type }) => type);

describe('Events from the request to the receiver', () => {
  it('are sent, signed, to the webhooks of the advertiser and the publisher for a bid, its ad, and its click', async () => {
    const [advertiser, word] = [newUser(), 'kohlrabioom'];
    const [atAdvertiser, atPublisher] = [await startReceiver(), await startReceiver()];
    const ofAds = ['ad.impression', 'ad.click'];
    const { secret } = await register(advertiser, atAdvertiser.url, ofAds);
    await register('publisher', atPublisher.url, ofAds);
    const campaign = await service.campaign({ targetAudience: { keywords: [word] } }, advertiser);
    const key = await service.key();
    const { bidId } = (await service.bid(key, word)).body;
    await service.stack.drain();
    expect(types(atAdvertiser)).toEqual([]); // a bid sends no event
    await service.ad(key, bidId);
    await service.call('GET', `/api/v1/click/${bidId}`, { headers: { 'user-agent': 'Firefox' } });
    await service.stack.drain();

    expect(types(atAdvertiser).sort()).toEqual(['ad.click', 'ad.impression']);
    expect(bodies(atPublisher)).toEqual(expect.arrayContaining(bodies(atAdvertiser)));
    const { headers, body } = atAdvertiser.requests.find((request) => request.body.includes('ad.click'))!;
    vi.useFakeTimers({ toFake: ['Date'], now: service.clock.now() });
    expect(new Verifier(secret).verify(body, headers)).toMatchObject({
      type: 'ad.click',
      api_version: 'v1',
      data: { ad_id: bidId, campaign_id: campaign.id, metadata: { user_agent: 'Firefox', ip_address: '203.0.113.0' } },
    });
    vi.useRealTimers();
    expect(headers).toMatchObject({ 'user-agent': 'conversation-ads-webhooks/1.0', 'webhook-id': JSON.parse(body).id });

    const again = atAdvertiser.requests.length;
    await service.call('GET', `/api/v1/click/${bidId}`, { headers: { 'user-agent': 'Firefox' } });
    await service.ad(key, bidId);
    await service.stack.drain();
    expect(atAdvertiser.requests).toHaveLength(again);
  });

  it("are sent for each change of a campaign to the owner's webhooks that subscribe to the type", async () => {
    const user = newUser();
    const [all, pauses] = [await startReceiver(), await startReceiver()];
    await register(user, all.url, ['campaign.created', 'campaign.updated', 'campaign.paused']);
    await register(user, pauses.url, ['campaign.paused']);
    const { id } = await service.campaign({ name: 'Shoes 👟 \uffff' }, user);
    await service.user(user)('PATCH', `/campaigns/${id}`, { budget: 20 });
    await service.user(user)('PATCH', `/campaigns/${id}`, { status: 'paused' });
    await service.user(user)('DELETE', `/campaigns/${id}`);
    await service.stack.drain();
    expect(types(all).sort()).toEqual(['campaign.created', 'campaign.paused', 'campaign.updated', 'campaign.updated']);
    expect(bodies(all)[0].data.campaign_name).toBe('Shoes 👟 \uffff');
    expect(bodies(pauses)).toMatchObject([{ type: 'campaign.paused', data: { campaign_id: id, reason: 'user' } }]);
  });

  it('are not sent in test mode', async () => {
    const [user, word] = [newUser(), 'salsifyoom'];
    const receiver = await startReceiver();
    await register(user, receiver.url, ['ad.impression', 'ad.click']);
    await service.campaign({ targetAudience: { keywords: [word] } }, user);
    const key = await service.key({ mode: 'test' });
    const { bidId } = (await service.bid(key, word)).body;
    await service.ad(key, bidId);
    await service.call('GET', `/api/v1/click/${bidId}`, { headers: { 'user-agent': 'Firefox' } });
    await service.stack.drain();
    expect(receiver.requests).toEqual([]);
  });
});

describe('Delivery over the queue', () => {
  it('makes six requests to a failing receiver, then marks the delivery and the webhook failed; a redelivery restores both', async () => {
    const user = newUser();
    let status = 503;
    const receiver = await startReceiver((response) => response.writeHead(status).end());
    const { id, secret } = await register(user, receiver.url, ['campaign.created']);
    await service.campaign({}, user);
    await service.stack.drain();
    expect(receiver.requests).toHaveLength(6);
    expect(new Set(bodies(receiver).map((event) => event.id)).size).toBe(1);
    expect(await read(user, id)).toMatchObject({ status: 'failed', lastError: 'The receiver responded with 503' });
    const [delivery] = await read(user, `${id}/deliveries`);
    expect(delivery).toMatchObject({ status: 'failed', type: 'campaign.created', eventId: bodies(receiver)[0].id });
    expect(delivery.attempts).toHaveLength(6);

    status = 200;
    const path = `/webhooks/${id}/deliveries/${delivery.id}/redeliver`;
    expect(await service.user(user)('POST', path)).toMatchObject({ status: 200, body: { status: 'pending' } });
    await service.stack.drain();
    expect(bodies(receiver)[6]).toEqual(bodies(receiver)[0]);
    expect(await read(user, id)).toMatchObject({ status: 'active', lastError: null });
    expect((await read(user, `${id}/deliveries`))[0]).toMatchObject({ status: 'delivered' });
    expect(service.lines.join('\n')).not.toContain(secret);
  });

  it('makes three requests to a receiver that fails twice', async () => {
    const user = newUser();
    let requests = 0;
    const receiver = await startReceiver((response) => response.writeHead(++requests > 2 ? 200 : 500).end());
    const { id } = await register(user, receiver.url, ['campaign.created']);
    await service.campaign({}, user);
    await service.stack.drain();
    expect(receiver.requests).toHaveLength(3);
    const [{ status, attempts }] = await read(user, `${id}/deliveries`);
    const codes = attempts.map(({ statusCode }: { statusCode: number }) => statusCode);
    expect([status, codes]).toEqual(['delivered', [500, 500, 200]]);
  });

  it('sends nothing to a disabled or deleted receiver', async () => {
    const user = newUser();
    const receiver = await startReceiver();
    const off = await register(user, receiver.url, ['campaign.created']);
    const gone = await register(user, receiver.url, ['campaign.created']);
    await service.user(user)('PATCH', `/webhooks/${off.id}`, { status: 'disabled' });
    await service.campaign({}, user);
    await service.stack.drainStreams(); // queues a message for the remaining receiver
    await service.user(user)('DELETE', `/webhooks/${gone.id}`);
    await service.stack.drain();
    expect(receiver.requests).toEqual([]);
  });
});
