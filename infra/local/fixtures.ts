import { fingerprint } from '../../shared/api-keys/key.ts';
import { bidStore } from '../../shared/bids/store.ts';
import type { Effects } from '../../shared/effects.ts';
import { createServing } from '../../shared/serving/serve.ts';
import { DEMO_ADVERTISER, DEMO_PUBLISHER, knownIds, seed } from './seed.ts';

/**
 * The demo data and what the fixtures in events/ speak of beside it: one issued bid and one served ad, under ids that are the
 * same on every machine.
 */
export async function seedFixtures(effects: Effects): Promise<void> {
  const { key, campaigns } = await seed(effects);
  const campaign = campaigns[0]!;
  const bids = bidStore({ ...effects, ids: knownIds('fixture bids') });
  const issue = () =>
    bids.issue({
      keyId: fingerprint(key),
      keyOwner: DEMO_PUBLISHER,
      mode: 'live',
      campaignId: campaign.id,
      campaignOwner: DEMO_ADVERTISER,
      price: campaign.maxCpb,
      relevance: 0.8,
      countryCode: 'US',
      terms: ['running shoes'],
    });
  await issue();
  await createServing(effects)(await issue());
}
