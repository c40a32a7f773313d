import { describe, expect, it } from 'vitest';
import { TOMBSTONE_MS } from '../../../shared/campaigns/items.ts';
import { useServiceInMemory } from '../../memory/stack.ts';
import { createCaller, createHandlers } from '../../service.ts';

// @module-tag whole
const service = useServiceInMemory();
const user = () => service.user();
const remove = (id: string) => user()('DELETE', `/campaigns/${id}`);
const NOT_FOUND = { status: 404, body: { error: 'Not found', message: 'Campaign not found', statusCode: 404 } };
const about = (topic: string) => ({ targetAudience: { keywords: [topic] } });
const asking = (topic: string) => `Which ${topic} should I buy?`;

/** Bids on another instance. */
async function bidderElsewhere(key: string) {
  const handlers = await createHandlers(service.stack.effects);
  return (topic: string) =>
    createCaller(() => handlers)('POST', '/api/v1/ssp/bid', {
      headers: { 'x-api-key': key },
      body: { countryCode: 'US', messages: [{ role: 'user', content: asking(topic) }] },
    });
}

describe('DELETE /campaigns/{id}', () => {
  it('confirms the deletion once; afterwards every operation returns 404', async () => {
    const { id } = await service.campaign();
    expect(await remove(id)).toMatchObject({ status: 200, body: { message: 'Campaign deleted successfully' } });
    expect(await remove(id)).toMatchObject(NOT_FOUND);
    expect(await user()('GET', `/campaigns/${id}`)).toMatchObject(NOT_FOUND);
    expect(await user()('PATCH', `/campaigns/${id}`, { status: 'active' })).toMatchObject(NOT_FOUND);
    expect(await user()('PATCH', `/campaigns/${id}`, {})).toMatchObject(NOT_FOUND);
  });

  it('stops bidding on every instance with the next request', async () => {
    const { id } = await service.campaign(about('sourdough starters'));
    const key = await service.key();
    const elsewhere = await bidderElsewhere(key);
    const bidElsewhere = () => elsewhere('sourdough starters');
    expect([(await service.bid(key, asking('sourdough starters'))).body, (await bidElsewhere()).body]).not.toContain(
      null,
    );
    await remove(id);
    expect((await service.bid(key, asking('sourdough starters'))).body).toBeNull();
    expect((await bidElsewhere()).body).toBeNull();
  });

  it('removes the ad of an earlier bid and charges nothing', async () => {
    const { id } = await service.campaign(about('origami paper'));
    const key = await service.key();
    const { bidId } = (await service.bid(key, asking('origami paper'))).body;
    await remove(id);
    for (let times = 0; times < 2; times++) {
      expect(await service.ad(key, bidId)).toMatchObject({
        status: 404,
        body: { statusCode: 404, message: 'Campaign not found', error: 'Not Found' },
      });
    }
    expect((await service.call('GET', `/api/v1/click/${bidId}`)).status).toBe(404);
  });

  it('keeps redirecting clicks of a served ad', async () => {
    const { id } = await service.campaign(about('falconry gloves'));
    const key = await service.key();
    const { bidId } = (await service.bid(key, asking('falconry gloves'))).body;
    await service.ad(key, bidId);
    await remove(id);
    expect((await service.call('GET', `/api/v1/click/${bidId}`)).status).toBe(302);
  });

  it('succeeds once when ten requests delete the same campaign', async () => {
    const { id } = await service.campaign();
    const answers = await Promise.all(Array.from({ length: 10 }, () => remove(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)]);
  });

  it('is not undone by a concurrent update', async () => {
    for (let round = 0; round < 4; round++) {
      const { id } = await service.campaign();
      const name = `Renamed ${round}`;
      const [deleted, changed] = await Promise.all([remove(id), user()('PATCH', `/campaigns/${id}`, { name })]);
      expect(deleted.status).toBe(200);
      expect([200, 404]).toContain(changed.status);
      expect(await user()('GET', `/campaigns/${id}`)).toMatchObject(NOT_FOUND);
      expect((await user()('POST', '/campaigns', { name })).status).toBe(201);
    }
  });
});

describe('An instance that was frozen during a deletion', () => {
  /** An instance that has bid for a campaign, is frozen while the campaign is deleted, and bids again. */
  async function sleep(topic: string, ms: number) {
    const { id } = await service.campaign(about(topic));
    const key = await service.key();
    const bid = await bidderElsewhere(key);
    expect((await bid(topic)).body).not.toBeNull();
    await remove(id);
    service.clock.advance(ms);
    await service.stack.sweep();
    return bid;
  }

  it('stops bidding after the tombstone was already swept', async () => {
    await service.campaign(about('weaving baskets'));
    const bid = await sleep('garden gnomes', TOMBSTONE_MS + 60_000);
    expect((await bid('garden gnomes')).body).toBeNull();
    expect((await bid('weaving baskets')).body).not.toBeNull();
  });

  it('stops bidding by the tombstone after a shorter freeze', async () => {
    const bid = await sleep('bee hives', TOMBSTONE_MS / 2);
    expect((await bid('bee hives')).body).toBeNull();
  });
});
