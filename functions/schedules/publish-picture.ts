import { lexicon } from '../../shared/lexicon.ts';
import { snapshotWriter } from '../../shared/snapshots/writer.ts';
import { scheduleWorker } from '../../shared/stream/schedule.ts';

/** Publishes what bidding needs of the campaigns, so that an instance that has just started need not read them one by one. */
export default scheduleWorker('schedules/publish-picture', (effects) => snapshotWriter(effects, lexicon()));
