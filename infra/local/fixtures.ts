import { createServing } from '../../shared/ads/bids/serve.ts';
import { createBidStore, type NewBid } from '../../shared/ads/bids/store.ts';
import { createExchangeTerms } from '../../shared/ads/openrtb/notices.ts';
import type { TermsPage } from '../../shared/budgets/monthly-terms.ts';
import { addApiKey } from '../../shared/keys/create-key.ts';
import { keyFingerprint } from '../../shared/keys/credential.ts';
import { type KeyDay, keyDayRow } from '../../shared/keys/key-day.ts';
import type { Effects } from '../../shared/platform/effects.ts';
import { createSecretReader } from '../../shared/platform/service-secret.ts';
import { findDueDelivery, recordDelivery } from '../../shared/webhooks/deliveries.ts';
import { createSampleEvent } from '../../shared/webhooks/events/samples.ts';
import { addWebhook } from '../../shared/webhooks/webhook-store.ts';
import { createFixedIds, DEMO_ADVERTISER, DEMO_PUBLISHER, seed } from './seed.ts';

/**
 * Stores the demo data and everything else that the fixtures in events/ refer to: an issued bid, a served ad, two legacy ads (one clicked),
 * an exchange's bid, the secret that signs feedback, keys, two webhooks, and a delivery. The ids are the same on every machine.
 */
export async function seedFixtures(effects: Effects): Promise<void> {
  const { key, campaigns } = await seed(effects);
  const campaign = campaigns[0]!;
  const bids = createBidStore({ ...effects, ids: createFixedIds('fixture bids') });
  const bid: NewBid = {
    keyId: keyFingerprint(key),
    keyOwner: DEMO_PUBLISHER,
    mode: 'live',
    campaignId: campaign.id,
    campaignOwner: DEMO_ADVERTISER,
    price: campaign.maxCpb,
    relevance: 0.8,
    countryCode: 'US',
    terms: ['running shoes'],
  };
  await bids.issue(bid);
  await createServing(effects)(await bids.issue(bid));
  const from = { userAgent: 'curl/8.5.0', referrer: '', ip: '203.0.113.0', userId: '', sessionId: '' };
  const shown = {
    ...from,
    conversation: 'Which shoes?',
    userQuery: '',
    placement: { type: 'inline', position: '' },
  };
  await bids.issueLegacy(bid, campaign, shown);
  const clicked = await bids.issueLegacy(bid, campaign, shown);
  const exchange = createExchangeTerms(createFixedIds('fixture notice'), 'burl', undefined);
  await bids.issueForExchange(bid, campaign, exchange);
  await bids.attemptClick(clicked.id, { ...from, at: effects.clock.now() }, null);

  await createSecretReader({ ...effects, ids: createFixedIds('fixture secret') })();

  await effects.db.write({ table: 'key-days', put: createKeyDay(bid.keyId) });

  await effects.db.write({ table: 'ledgers', put: createTermsPage(campaign.id) });

  const keyEffects = { ...effects, ids: createFixedIds('fixture key') };
  await addApiKey(keyEffects, DEMO_PUBLISHER, { name: 'To be deleted', mode: 'test', bidFloor: 0 });
  await addApiKey(keyEffects, DEMO_PUBLISHER, { name: 'To be rotated', mode: 'live', bidFloor: 0 });
  const known = { ...effects, ids: createFixedIds('fixture webhooks') };
  const receiver = { url: 'https://hooks.example/ads', events: ['ad.click' as const], description: '' };
  const added = await addWebhook(known, DEMO_ADVERTISER, receiver);
  await addWebhook(known, DEMO_ADVERTISER, receiver);
  if (added.outcome !== 'added') throw new Error('The fixture webhook could not be added');
  const { webhook } = added;
  const event = createSampleEvent('ad.click', 'fixture', Date.UTC(2026, 10, 20, 9));
  const due = await findDueDelivery(effects, { owner: DEMO_ADVERTISER, webhookId: webhook.id, event });
  if (due.outcome === 'due') await recordDelivery(effects, due.delivery, 'pending', effects.clock.now());
}

/** The terms of the demo campaign in the month before the fixtures; 2 and 3 in too few conversations. */
function createTermsPage(campaignId: string): TermsPage {
  const counts = { i0: 1_204, k0: 31, i1: 388, k1: 6, i2: 12, i3: 4, k3: 1 };
  const row = { campaignId, row: 'terms#2026-10#0', ttl: Date.UTC(2028, 10, 1) / 1000 } as const;
  return { ...row, ...counts, t0: 'k:running shoes', t1: 'p:half marathon' };
}

/** The figures of the demo key for the day before the fixtures. */
function createKeyDay(keyId: string): KeyDay {
  const { key, set } = keyDayRow(keyId, '2026-11-19');
  const happened = { requests: 1_840, bids: 512, impressions: 97, clicks: 3, charged_10000: 412_250 };
  const fills = { fill_strict: 324, fill_balanced: 188, fill_open: 93 };
  return {
    ...key,
    ...set,
    ...happened,
    ...fills,
    noBid_no_match: 808,
    noBid_below_threshold: 93,
    noBid_no_commercial_context: 380,
    noBid_below_floor: 41,
  };
}
