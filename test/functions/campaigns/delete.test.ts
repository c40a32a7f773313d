import { describe, expect, it } from 'vitest';
import { campaignPicture } from '../../../shared/campaigns/picture.ts';
import { TOMBSTONE_MS } from '../../../shared/campaigns/store.ts';
import { caller, handlersWith, useService } from '../../harness.ts';

const service = useService();
const user = () => service.user();
const remove = (id: string) => user()('DELETE', `/campaigns/${id}`);
const NOT_FOUND = { status: 404, body: { error: 'Not found', message: 'Campaign not found', statusCode: 404 } };
const about = (topic: string) => ({ targetAudience: { keywords: [topic] } });
const shown = (topic: string) => [{ role: 'user' as const, content: `Tell me about ${topic}` }];

describe('Delete campaign', () => {
  it('says so once; afterwards nothing knows the campaign', async () => {
    const { id } = await service.campaign();
    expect(await remove(id)).toMatchObject({ status: 200, body: { message: 'Campaign deleted successfully' } });
    expect(await remove(id)).toMatchObject(NOT_FOUND);
    expect(await user()('GET', `/campaigns/${id}`)).toMatchObject(NOT_FOUND);
    expect(await user()('PATCH', `/campaigns/${id}`, { status: 'active' })).toMatchObject(NOT_FOUND);
    expect(await user()('PATCH', `/campaigns/${id}`, {})).toMatchObject(NOT_FOUND);
  });

  it('ends its bidding with the next request, on every instance', async () => {
    const { id } = await service.campaign(about('sourdough'));
    const key = await service.key();
    const elsewhere = await handlersWith(service.stack.effects);
    const bidElsewhere = () =>
      caller(() => elsewhere)('POST', '/api/v1/ssp/bid', {
        headers: { 'x-api-key': key },
        body: { countryCode: 'US', messages: shown('sourdough') },
      });
    expect([(await service.bid(key, 'sourdough')).body, (await bidElsewhere()).body]).not.toContain(null);
    await remove(id);
    expect((await service.bid(key, 'sourdough')).body).toBeNull();
    expect((await bidElsewhere()).body).toBeNull();
  });

  it('takes the ad of a bid that was won before, and nothing is charged', async () => {
    const { id } = await service.campaign(about('origami'));
    const key = await service.key();
    const { bidId } = (await service.bid(key, 'origami')).body;
    await remove(id);
    for (let times = 0; times < 2; times++) {
      expect(await service.ad(key, bidId)).toMatchObject({
        status: 404,
        body: { statusCode: 404, message: 'Campaign not found', error: 'Not Found' },
      });
    }
    expect((await service.call('GET', `/api/v1/click/${bidId}`)).status).toBe(404);
  });

  it('leaves an ad that was served its click', async () => {
    const { id } = await service.campaign(about('falconry'));
    const key = await service.key();
    const { bidId } = (await service.bid(key, 'falconry')).body;
    await service.ad(key, bidId);
    await remove(id);
    expect((await service.call('GET', `/api/v1/click/${bidId}`)).status).toBe(302);
  });

  it('has one winner when ten delete at once', async () => {
    const { id } = await service.campaign();
    const answers = await Promise.all(Array.from({ length: 10 }, () => remove(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)]);
  });

  it('is not undone by a change at the same moment', async () => {
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

describe('An instance’s picture of the campaigns', () => {
  it('forgets what was deleted, and its tombstone swept, while the instance slept', async () => {
    const { id } = await service.campaign(about('taxidermy'));
    const kept = await service.campaign(about('basketry'));
    const picture = campaignPicture(service.stack.effects);
    await picture.refresh();
    expect(picture.match(shown('taxidermy'))).toHaveLength(1);
    await remove(id);
    service.clock.advance(TOMBSTONE_MS + 60_000);
    await service.stack.sweep();
    await picture.refresh();
    expect(picture.match(shown('taxidermy'))).toEqual([]);
    expect(picture.match(shown('basketry')).map(({ campaign }) => campaign.id)).toEqual([kept.id]);
  });

  it('forgets it by its tombstone when it slept for less', async () => {
    const { id } = await service.campaign(about('beekeeping'));
    const picture = campaignPicture(service.stack.effects);
    await picture.refresh();
    await remove(id);
    service.clock.advance(TOMBSTONE_MS / 2);
    await service.stack.sweep();
    await picture.refresh();
    expect(picture.match(shown('beekeeping'))).toEqual([]);
  });
});
