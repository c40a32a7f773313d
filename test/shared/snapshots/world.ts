import type { Campaign } from '../../../shared/campaigns/campaign.ts';
import { readAll } from '../../../shared/campaigns/read-all.ts';
import { createRoster } from '../../../shared/campaigns/roster.ts';
import { campaignStore } from '../../../shared/campaigns/store.ts';
import { readConfig } from '../../../shared/config.ts';
import type { Database, Item } from '../../../shared/database.ts';
import type { Effects } from '../../../shared/effects.ts';
import { lexicon } from '../../../shared/lexicon.ts';
import { createLog } from '../../../shared/log.ts';
import type { Lexicon } from '../../../shared/matching/index.ts';
import { publisher } from '../../../shared/snapshots/publish.ts';
import { snapshotStore } from '../../../shared/snapshots/store.ts';
import { memoryService } from '../../memory/service.ts';

const config = readConfig({ CAMPAIGN_REFRESH_SECONDS: '1' }, true);

/** Eight campaigns on a database in memory, a publisher that puts two into a part, and instances that have just started. */
export async function snapshotWorld(seed: string) {
  const service = memoryService(seed);
  const { clock, db } = service;
  const lines: string[] = [];
  const log = createLog('info', (line) => lines.push(line));
  const effects = { ...service.effects, config, log };
  const campaigns: Campaign[] = [];
  for (let i = 0; i < 8; i++) campaigns.push(await service.campaign({ targetAudience: { keywords: [`item${i}`] } }));
  clock.advance(60_000);

  /** What a new instance knows of each campaign once it has read all. */
  async function learn(by: Partial<Effects> = {}, world: Lexicon = lexicon()) {
    const own = { ...effects, ...by };
    const roster = createRoster(world);
    await readAll(campaignStore(own), snapshotStore(own, world), roster, own)();
    return Object.fromEntries([...roster.versions().keys()].sort().map((id) => [id, roster.find(id)]));
  }
  const withoutSnapshot: Database = {
    ...db,
    get: async (table, key) => (table === 'snapshots' ? undefined : db.get(table, key)),
  };
  const wholeKey = { name: `bidding 2 ${lexicon().version}`, part: 'whole' };

  return {
    service,
    clock,
    db,
    effects,
    campaigns,
    learn,
    /** What is true: read from the campaigns themselves. */
    truth: () => learn({ db: withoutSnapshot }),
    publish: (by: Partial<Effects> = {}, world: Lexicon = lexicon(), mostBytes?: number) =>
      publisher({ ...effects, ...by }, world, { part: 2, mostBytes })(),
    whole: () => db.get('snapshots', wholeKey),
    partKey: (bucket: number, buckets: number): Item => ({ ...wholeKey, part: `${bucket}/${buckets}` }),
    /** Where the last new instance read the campaigns from. */
    source: () => lines.map((line) => JSON.parse(line)).findLast(({ message }) => message === 'campaigns read')?.from,
    warnings: () => lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'warn'),
  };
}
