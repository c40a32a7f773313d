import { createHash } from 'node:crypto';
import { getLexicon } from '../../shared/ads/catalog/lexicon.ts';
import { addCampaign } from '../../shared/campaigns/add.ts';
import type { Campaign } from '../../shared/campaigns/campaign.ts';
import { createCampaign } from '../../shared/campaigns/campaign-schema.ts';
import { findCampaigns } from '../../shared/campaigns/find.ts';
import { toggleApiKey } from '../../shared/keys/change-key.ts';
import { addApiKey } from '../../shared/keys/create-key.ts';
import { generateKey, keyFingerprint } from '../../shared/keys/credential.ts';
import type { Effects } from '../../shared/platform/effects.ts';
import { createIds } from '../../shared/platform/ids.ts';
import { demoCampaigns } from './demo-campaigns.ts';

export const DEMO_ADVERTISER = 'demo-advertiser';
export const DEMO_PUBLISHER = 'demo-publisher';
/** Seller of the demo publisher in Trusted Match requests. */
const DEMO_SELLER = 'https://assistant.example/agent';
/** The demo publisher shows at most one ad in two turns of a conversation. */
const DEMO_SPACING = 2;
/** Users that the web app offers; the last one has no data yet. */
export const demoUsers = [DEMO_ADVERTISER, DEMO_PUBLISHER, 'demo-newcomer'];

/** Bytes that are the same on every machine, so fixtures can contain the demo's key and ids. Nothing here is secret. */
const createFixedBytes = (seed: string) => {
  let count = 0;
  return (length: number) => createHash('sha512').update(`${seed} ${count++}`).digest().subarray(0, length);
};

export const createFixedIds = (seed: string) => createIds(createFixedBytes(seed), () => Date.UTC(2026, 0, 1));

/** The demo publisher's key. */
export const demoKey = (): string => generateKey('live', createFixedBytes('demo key'));

export interface DemoAccounts {
  key: string;
  campaigns: Campaign[];
}

/** Creates a demo advertiser with campaigns and a publisher's key, unless they exist. */
export async function seed(effects: Effects): Promise<DemoAccounts> {
  const key = demoKey();
  const campaignEffects = { ...effects, ids: createFixedIds('demo campaigns') };
  const stored = await effects.db.get('api-keys', { id: keyFingerprint(key) });
  if (stored && !stored.isActive) await toggleApiKey(effects, DEMO_PUBLISHER, stored.id);
  if (!stored) {
    for (const body of demoCampaigns(`${effects.config.baseUrl}/assets`))
      await addCampaign(campaignEffects, getLexicon(), DEMO_ADVERTISER, createCampaign.parse(body));
    // Create the key last: if it exists, the rest exists too, even after a crash in between.
    const keyEffects = { ...effects, ids: { ...effects.ids, bytes: createFixedBytes('demo key') } };
    const settings = { sellerAgentUrl: DEMO_SELLER, turnSpacing: DEMO_SPACING };
    await addApiKey(keyEffects, DEMO_PUBLISHER, { name: 'Demo publisher', mode: 'live', bidFloor: 0, settings });
  }
  return { key, campaigns: await findCampaigns(effects, DEMO_ADVERTISER) };
}

/** Deactivates the demo key of an earlier start, because it is public. `seed` activates it again. */
export async function revokeDemoKey(effects: Effects): Promise<void> {
  const stored = await effects.db.get('api-keys', { id: keyFingerprint(demoKey()) });
  if (stored?.isActive) await toggleApiKey(effects, DEMO_PUBLISHER, stored.id);
}
