import { createCatalog } from '../../../../shared/ads/catalog/catalog.ts';
import { getLexicon } from '../../../../shared/ads/catalog/lexicon.ts';
import { getSnapshotName } from '../../../../shared/ads/catalog/snapshot-shape.ts';
import { createSnapshotWriter } from '../../../../shared/ads/catalog/snapshot-writer.ts';
import type { Campaign } from '../../../../shared/campaigns/campaign.ts';
import type { Lexicon } from '../../../../shared/matching/index.ts';
import { readConfig } from '../../../../shared/platform/config.ts';
import type { Database } from '../../../../shared/platform/database.ts';
import type { Effects } from '../../../../shared/platform/effects.ts';
import { createLog } from '../../../../shared/platform/log.ts';
import type { Metrics } from '../../../../shared/platform/metrics.ts';
import { createBudgetService } from '../../../memory/service.ts';
import { type AnyItem, untyped } from '../../../memory/untyped-database.ts';
import type { Measurement } from '../../../service.ts';

const config = readConfig({ CAMPAIGN_REFRESH_SECONDS: '1' }, true);
/** Small slices, so that a snapshot has several; any change is enough for a new snapshot. */
const SMALL = { sliceBytes: 1_000, few: 0, share: 0 };

/** Eight campaigns on a database in memory, with snapshot writers and new bidding instances. */
export async function createSnapshotService(seed: string) {
  const service = createBudgetService(seed);
  const { clock, db } = service;
  const lines: string[] = [];
  const measured: Measurement[] = [];
  const log = createLog('info', (line) => lines.push(line));
  const metrics: Metrics = { add: (name, value = 1) => void measured.push({ name, value }), flush() {} };
  const effects = { ...service.effects, config, log, metrics };
  const campaigns: Campaign[] = [];
  for (let i = 0; i < 8; i++) campaigns.push(await service.campaign({ targetAudience: { keywords: [`item${i}`] } }));
  clock.advance(60_000);

  const ids = () =>
    db
      .items('campaigns')
      .filter(({ item }) => item.startsWith('campaign#'))
      .map(({ id }) => id as string);
  /** The campaigns of a new instance after it has read all. */
  async function learn(by: Partial<Effects> = {}, lexicon: Lexicon = getLexicon()) {
    const catalog = createCatalog({ ...effects, ...by }, lexicon);
    await catalog.refresh();
    const all = [...new Set([...campaigns.map(({ id }) => id), ...ids()])].sort();
    const known = all.filter((id) => catalog.find(id).campaign);
    return Object.fromEntries(known.map((id) => [id, catalog.find(id)]));
  }
  const withoutSnapshot: Database = {
    ...db,
    get: async (table, key) => (table === 'snapshots' ? undefined : db.get(table, key)),
  };
  const name = getSnapshotName(getLexicon());
  const head = () => untyped(db).get('snapshots', { name, part: 'head' });
  const parsed = () => lines.map((line) => JSON.parse(line));

  return {
    service,
    clock,
    db,
    effects,
    campaigns,
    learn,
    measured,
    /** The stored campaigns, read without the snapshot. */
    truth: () => learn({ db: withoutSnapshot }),
    publish: (
      by: Partial<Effects> = {},
      lexicon: Lexicon = getLexicon(),
      options: Parameters<typeof createSnapshotWriter>[2] = SMALL,
    ) => createSnapshotWriter({ ...effects, ...by }, lexicon, options)(),
    head,
    /** The slices of the current snapshot, in order. */
    async slices(): Promise<AnyItem[]> {
      const { generation, slices } = (await head())!;
      const keys = Array.from({ length: slices }, (_, i) => ({ name: `${name} ${generation} ${i}`, part: String(i) }));
      return db.getAll('snapshots', keys);
    },
    /** Where the last new instance read the campaigns from. */
    source: () => parsed().findLast(({ message }) => message === 'campaigns read')?.from,
    warnings: () => parsed().filter(({ level }) => level === 'warn'),
  };
}
