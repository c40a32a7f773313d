import { addApiKey, removeApiKey } from '../../shared/keys/add.ts';
import { SAMPLE_CONVERSATION } from './first-requests.ts';
import type { Stack } from './stack.ts';

/** After so many bids in a row that are in time, the code is compiled and the campaigns are known: the next bid is in time too. */
const MIN_BIDS_IN_TIME = 3;
/** The service starts on any machine, even if bids are never in time there. */
const MAX_BIDS = 12;

const OWNER = 'warm-up';
const NOT_READY = /"reason":"(late|catalog_stale)"/;
const CALLER = { requestId: 'warm-up', sourceIp: '127.0.0.1' };

/** Whether a line of the log is about a trial bid that may fail. */
export const isTrialLogLine = (line: string): boolean =>
  line.includes(`"requestId":"${CALLER.requestId}"`) && !line.startsWith('{"level":"error"');

/**
 * Makes bids before anyone else does: the first bid of a process takes several times as long as the next and could be late. A test
 * key makes them, which spends nothing, and is deleted afterwards.
 */
export async function warmUp({ effects, apps }: Pick<Stack, 'effects' | 'apps'>): Promise<void> {
  const { key, secret } = await addApiKey(effects, OWNER, { name: 'Trial bids', mode: 'test', bidFloor: 0 });
  const url = `${effects.config.baseUrl}/api/v1/ssp/bid`;
  const headers = { 'x-api-key': secret, 'content-type': 'application/json', 'x-debug': 'true' };
  const body = JSON.stringify(SAMPLE_CONVERSATION);
  try {
    let inTime = 0;
    for (let made = 0; made < MAX_BIDS && inTime < MIN_BIDS_IN_TIME; made++) {
      const answer = await apps['ssp/bid'].fetch(new Request(url, { method: 'POST', headers, body }), CALLER);
      const isInTime = answer.status === 200 && !NOT_READY.test(String(answer.headers.get('x-debug-info')));
      inTime = isInTime ? inTime + 1 : 0;
    }
  } finally {
    await removeApiKey(effects, OWNER, key.id);
  }
}
