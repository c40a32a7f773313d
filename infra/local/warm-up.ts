import { addApiKey, removeApiKey } from '../../shared/keys/create-key.ts';
import { SAMPLE_CONVERSATION } from './first-requests.ts';
import type { Stack } from './stack.ts';

/** After this many bids in a row within the deadline, the code is compiled and the campaigns are loaded. */
const MIN_BIDS_IN_TIME = 3;
/** The service starts even on a machine too slow for the deadline. */
const MAX_BIDS = 12;

const OWNER = 'warm-up';
const NOT_READY = /"reason":"(late|catalog_stale)"/;
const CALLER = { requestId: 'warm-up', sourceIp: '127.0.0.1' };

/** Whether a log line is about a trial bid, which may fail. */
export const isTrialLogLine = (line: string): boolean =>
  line.includes(`"requestId":"${CALLER.requestId}"`) && !line.startsWith('{"level":"error"');

/**
 * Makes trial bids, because the first bid of a process takes several times as long as the next and could miss the deadline. Uses a
 * temporary test key, which spends nothing.
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
