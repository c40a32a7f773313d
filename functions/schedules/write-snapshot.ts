import { getLexicon } from '../../shared/ads/catalog/lexicon.ts';
import { createSnapshotWriter } from '../../shared/ads/catalog/snapshot-writer.ts';
import { scheduleWorker } from '../../shared/http/workers/worker.ts';

/** Publishes what bidding needs of the campaigns, so that an instance that has just started need not read them one by one. */
export default scheduleWorker('schedules/write-snapshot', (effects) => createSnapshotWriter(effects, getLexicon()));
