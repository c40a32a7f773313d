import { createHash } from 'node:crypto';
import { getLexicon } from '../../shared/ads/catalog/lexicon.ts';
import { addCampaign } from '../../shared/campaigns/add.ts';
import type { Campaign } from '../../shared/campaigns/campaign.ts';
import { createCampaign } from '../../shared/campaigns/campaign-schema.ts';
import { campaignsOf } from '../../shared/campaigns/find.ts';
import { addApiKey } from '../../shared/keys/add.ts';
import { keyFingerprint, mintKey } from '../../shared/keys/key.ts';
import { toggleApiKey } from '../../shared/keys/toggle.ts';
import type { Effects } from '../../shared/platform/effects.ts';
import { createIds } from '../../shared/platform/ids.ts';
import { demoCampaigns } from './demo-campaigns.ts';

export const DEMO_ADVERTISER = 'demo-advertiser';
export const DEMO_PUBLISHER = 'demo-publisher';
/** The seller of the demo publisher, as requests of Trusted Match name it. */
const DEMO_SELLER = 'https://assistant.example/agent';
/** The demo publisher shows no two ads in a row in a conversation that its requests name. */
const DEMO_SPACING = 2;
/** The users that the page offers to its visitor; the last one has nothing yet. */
export const demoUsers = [DEMO_ADVERTISER, DEMO_PUBLISHER, 'demo-newcomer'];

/** Bytes that are the same on every machine: the demo's key and ids can stand in fixtures. Nothing here is a secret. */
const createFixedBytes = (seed: string) => {
  let count = 0;
  return (length: number) => createHash('sha512').update(`${seed} ${count++}`).digest().subarray(0, length);
};

export const createFixedIds = (seed: string) => createIds(createFixedBytes(seed), () => Date.UTC(2026, 0, 1));

/** The demo publisher's key. */
export const demoKey = (): string => mintKey('live', createFixedBytes('demo key'));

export interface DemoAccounts {
  key: string;
  campaigns: Campaign[];
}

/** A demo advertiser with campaigns of several trades and a publisher's key: made once, found again after a restart. */
export async function seed(effects: Effects): Promise<DemoAccounts> {
  const key = demoKey();
  const campaignEffects = { ...effects, ids: createFixedIds('demo campaigns') };
  const stored = await effects.db.get('api-keys', { id: keyFingerprint(key) });
  if (stored && !stored.isActive) await toggleApiKey(effects, DEMO_PUBLISHER, stored.id);
  if (!stored) {
    for (const body of demoCampaigns(`${effects.config.baseUrl}/assets`))
      await addCampaign(campaignEffects, getLexicon(), DEMO_ADVERTISER, createCampaign.parse(body));
    // The key comes last: its presence says that the rest is there, also after a crash in between.
    const keyEffects = { ...effects, ids: { ...effects.ids, bytes: createFixedBytes('demo key') } };
    const settings = { sellerAgentUrl: DEMO_SELLER, turnSpacing: DEMO_SPACING };
    await addApiKey(keyEffects, DEMO_PUBLISHER, { name: 'Demo publisher', mode: 'live', bidFloor: 0, settings });
  }
  return { key, campaigns: await campaignsOf(effects, DEMO_ADVERTISER) };
}

/** Switches off the demo key, which everybody knows, where an earlier start left it on. `seed` switches it on again. */
export async function revokeDemoKey(effects: Effects): Promise<void> {
  const stored = await effects.db.get('api-keys', { id: keyFingerprint(demoKey()) });
  if (stored?.isActive) await toggleApiKey(effects, DEMO_PUBLISHER, stored.id);
}
