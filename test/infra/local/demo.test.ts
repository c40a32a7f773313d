import { expect, it } from 'vitest';
import { seed } from '../../../infra/local/seed.ts';
import { samples } from '../../../web/chat/samples.ts';
import { useServiceInMemory } from '../../memory/stack.ts';

// @module-tag whole
const service = useServiceInMemory();

it('has an ad for each sample conversation about a purchase, and no ad for the others', async () => {
  const { key } = await seed(service.stack.effects);
  const call = async (method: string, path: string, body?: object) =>
    (await service.call(method, `/api/v1${path}`, { headers: { 'x-api-key': key }, ...(body && { body }) })).body;
  const shown: Record<string, string | null> = {};
  for (const { name, messages } of samples) {
    const bid = await call('POST', '/ssp/bid', { countryCode: 'US', messages });
    const ad = bid && (await call('GET', `/ssp/ad/${bid.bidId}`));
    shown[name] = ad?.nativeAd.ext.disclosure.advertiser ?? null;
  }
  expect(shown).toEqual({
    'First 10k': 'Fleet Feet',
    'Weekend away': 'Lakeside Homes',
    'Insuring a car': 'Northwind',
    'Learning to code': 'Codewell',
    'Small talk': null,
    'A sensitive one': null,
  });
});
