import { getLexicon } from '../../shared/ads/catalog/lexicon.ts';
import { createSnapshotWriter } from '../../shared/ads/catalog/snapshot-writer.ts';
import { scheduleWorker } from '../../shared/http/workers/worker.ts';

/** Writes the catalog snapshot, so a new bidding instance starts without reading every campaign. */
export default scheduleWorker('schedules/write-snapshot', (effects) => createSnapshotWriter(effects, getLexicon()));
