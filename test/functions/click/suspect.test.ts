import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../../shared/platform/clock.ts';
import { startOnMemoryDatabase } from '../../memory/stack.ts';
import { useStack } from '../../service.ts';
import { createPublisher } from '../legacy/legacy.ts';

// @module-tag whole
const service = useStack((outside) => startOnMemoryDatabase(outside));
const user = (name?: string) => service.user(name);

const OPTED_OUT = { regs: { gpc: '1' } };

/** A campaign with a keyword of its own, and a key. */
async function open(word: string, { mode = 'live' } = {}) {
  const { id: keyId, key } = (await user('carol')('POST', '/auth/api-keys', { name: word, mode })).body;
  const campaign = await service.campaign({ budget: 1_000, targetAudience: { keywords: [word] } });
  /** Ads that were served half a minute ago. */
  const serve = async (count: number, request = {}): Promise<string[]> => {
    const bidIds: string[] = [];
    for (let at = 0; at < count; at++) {
      service.clock.advance(200); // below the limit of requests
      const { bidId } = (await service.bid(key, word, request)).body;
      expect((await service.ad(key, bidId)).status).toBe(200);
      bidIds.push(bidId);
    }
    service.clock.set(Math.ceil(service.clock.now() / MINUTE_MS) * MINUTE_MS + MINUTE_MS / 2);
    return bidIds;
  };
  const figures = async () => {
    await service.stack.drain();
    const { performance } = (await user()('GET', `/campaigns/${campaign.id}`)).body;
    const day = (await user()('GET', `/campaigns/${campaign.id}/report`)).body.at(-1);
    const keyDay = (await user('carol')('GET', `/auth/api-keys/${keyId}/report`)).body.at(-1);
    return { performance, day, keyDay };
  };
  const suspects = async () => {
    const { performance, day, keyDay } = await figures();
    expect([day.suspectClicks, keyDay.suspectClicks]).toEqual([performance.suspectClicks, performance.suspectClicks]);
    expect([day.clicks, keyDay.clicks]).toEqual([performance.clicks, performance.clicks]);
    return { clicks: performance.clicks, ...performance.suspectClicks };
  };
  return { key, keyId, campaign, serve, suspects, figures };
}

async function click(bidId: string, sourceIp = '203.0.113.7') {
  const { status, headers } = await service.call('GET', `/api/v1/click/${bidId}`, { sourceIp });
  expect([status, headers.location]).toEqual([302, expect.stringContaining('click_id=clk_')]);
}

describe('A click within 300 ms of its ad', () => {
  it('is redirected and counted as always, and counted again as too fast', async () => {
    const { key, campaign, suspects } = await open('alecost');
    for (const after of [0, 300, 301, 5_000]) {
      service.clock.advance(1_000);
      const { bidId } = (await service.bid(key, 'alecost')).body;
      await service.ad(key, bidId);
      service.clock.advance(after);
      await click(bidId);
      await click(bidId); // a repeat counts nowhere
    }
    expect(await suspects()).toEqual({ clicks: 4, tooFast: 2, tooMany: 0 });
    const [row] = (await user()('GET', '/reports/campaigns')).body.filter(
      ({ campaignId }: { campaignId: string }) => campaignId === campaign.id,
    );
    expect(row).toMatchObject({ clicks: 4, suspectClicks: { tooFast: 2, tooMany: 0 } });
  });

  it('costs what any click costs, which is nothing', async () => {
    const { key, campaign, suspects } = await open('angelico');
    const { bidId } = (await service.bid(key, 'angelico')).body;
    await service.ad(key, bidId);
    const spent = async () => (await user()('GET', `/campaigns/${campaign.id}`)).body.spentBudget;
    const before = await spent();
    await click(bidId);
    expect(await suspects()).toEqual({ clicks: 1, tooFast: 1, tooMany: 0 });
    expect(await spent()).toBe(before);
  });
});

describe('More than 30 clicks a minute from one truncated address on one campaign', () => {
  it('are redirected and counted as always, and those after the thirtieth counted again as too many', async () => {
    const { serve, suspects } = await open('balmony');
    const bidIds = await serve(34);
    for (const [at, bidId] of bidIds.entries()) {
      await click(bidId, `203.0.113.${at}`); // one truncated address
      if (at % 7 === 0) await service.stack.drain();
    }
    expect(await suspects()).toEqual({ clicks: 34, tooFast: 0, tooMany: 4 });
  });

  it('are counted for the address, the campaign, and the minute on their own', async () => {
    const [one, other] = [await open('catnipo'), await open('dittany')];
    const [ofOne, ofOther] = [await one.serve(62), await other.serve(3)];
    for (const bidId of ofOne.slice(0, 30)) await click(bidId);
    for (const bidId of ofOther) await click(bidId); // another campaign
    await click(ofOne[30]!, '203.0.114.7'); // another address
    service.clock.advance(MINUTE_MS);
    for (const bidId of ofOne.slice(31)) await click(bidId); // another minute
    expect(await one.suspects()).toEqual({ clicks: 62, tooFast: 0, tooMany: 1 });
    expect(await other.suspects()).toEqual({ clicks: 3, tooFast: 0, tooMany: 0 });
  });

  it('do not include those that are too fast, so a click has one reason', async () => {
    const { key, serve, suspects } = await open('elecamp');
    const bidIds = await serve(30);
    for (let at = 0; at < 4; at++) {
      service.clock.advance(200);
      const { bidId } = (await service.bid(key, 'elecamp')).body;
      await service.ad(key, bidId);
      await click(bidId);
    }
    for (const bidId of bidIds) await click(bidId);
    expect(await suspects()).toEqual({ clicks: 34, tooFast: 4, tooMany: 0 });
  });

  it('count for the key of each', async () => {
    const { serve, figures, key } = await open('feverfu');
    const second = (await user('carol')('POST', '/auth/api-keys', { name: 'Second' })).body;
    const bidIds = await serve(30);
    const more: string[] = [];
    for (let at = 0; at < 5; at++) {
      service.clock.advance(200);
      more.push((await service.bid(at < 2 ? key : second.key, 'feverfu')).body.bidId);
      await service.ad(at < 2 ? key : second.key, more.at(-1)!);
    }
    service.clock.advance(MINUTE_MS);
    for (const bidId of bidIds) await click(bidId);
    await service.stack.drain();
    for (const bidId of more) await click(bidId);
    const { performance, keyDay } = await figures();
    const secondDay = (await user('carol')('GET', `/auth/api-keys/${second.id}/report`)).body.at(-1);
    expect([performance, keyDay, secondDay].map(({ suspectClicks }) => suspectClicks.tooMany)).toEqual([5, 2, 3]);
  });

  it('leave a keyed hash, a number, and the position in the stream, and no address', async () => {
    const { campaign, serve, suspects } = await open('galingo');
    for (const bidId of await serve(2)) await click(bidId, '198.51.100.77');
    await suspects();
    const rows = service.stack.memory
      .items('ledgers')
      .filter(({ campaignId, row }) => campaignId === campaign.id && String(row).startsWith('clicker#'));
    expect(rows).toEqual([
      expect.objectContaining({
        row: expect.stringMatching(/^clicker#[\w-]{16}$/),
        clicks: 2,
        ttl: expect.any(Number),
      }),
    ]);
    expect(rows[0]!.ttl * 1000 - service.clock.now()).toBeLessThanOrEqual(8 * 24 * 60 * MINUTE_MS);
    expect(
      Object.keys(rows[0]!)
        .filter((name) => !name.startsWith('at_'))
        .sort(),
    ).toEqual(['campaignId', 'clicks', 'row', 'ttl']);
    expect(JSON.stringify(rows)).not.toContain('198.51.100');
  });
});

describe('Nothing is suspect', () => {
  it('after an opt-out', async () => {
    const { key, serve, suspects } = await open('hyssopy');
    for (const bidId of await serve(32, OPTED_OUT)) await click(bidId);
    const { bidId } = (await service.bid(key, 'hyssopy', OPTED_OUT)).body;
    await service.ad(key, bidId);
    await click(bidId);
    expect(await suspects()).toEqual({ clicks: 33, tooFast: 0, tooMany: 0 });
  });

  it('of a test key, whose clicks count nowhere', async () => {
    const { serve, suspects } = await open('isatiso', { mode: 'test' });
    for (const bidId of await serve(32)) await click(bidId);
    expect(await suspects()).toEqual({ clicks: 0, tooFast: 0, tooMany: 0 });
  });

  it('if a publisher of the legacy API reports the click, but if the reader follows the link', async () => {
    const { key, suspects } = await open('lavaged');
    const publisher = createPublisher(service, key);
    const ads: { id: string }[] = [];
    for (let at = 0; at < 65; at++) {
      service.clock.advance(1_000);
      ads.push((await publisher.request('lavaged')).body.ads[0]);
    }
    service.clock.set(Math.ceil(service.clock.now() / MINUTE_MS) * MINUTE_MS);
    for (const { id } of ads.slice(0, 33)) {
      await publisher.impression(id);
      expect((await publisher.click(id)).status).toBe(200);
      service.clock.advance(200);
    }
    expect(await suspects()).toEqual({ clicks: 33, tooFast: 0, tooMany: 0 });
    for (const { id } of ads.slice(33)) await click(id);
    expect(await suspects()).toEqual({ clicks: 65, tooFast: 0, tooMany: 2 });
  });
});
