import { expect } from 'vitest';
import type { useServiceInMemory } from '../../memory/stack.ts';

/** Campaigns of a word each, and ads that they serve. */
export const createServing = (service: ReturnType<typeof useServiceInMemory>) => ({
  createCampaign: (user: string, word: string, more: object = {}): Promise<{ id: string; name: string }> =>
    service.campaign({ targetAudience: { keywords: [word] }, maxCpb: 4, ...more }, user),

  /** Serves this many ads to a conversation about a word, the first one with a click. */
  async serve(secret: string, word: string, times: number) {
    for (let count = 0; count < times; count++) {
      const { bidId } = (await service.bid(secret, word)).body;
      expect((await service.ad(secret, bidId)).status).toBe(200);
      if (count === 0) await service.call('GET', `/api/v1/click/${bidId}`, { headers: { 'user-agent': 'curl/8' } });
      service.clock.advance(100);
    }
    await service.stack.drain();
  },
});
