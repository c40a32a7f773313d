import { getMember } from '../conversations/conversation-schema.ts';

/** What of `tmax` the answer's way back to the exchange takes, milliseconds. */
const WAY_BACK_MS = 20;

/** When the answer to a bid request has to leave, epoch milliseconds. What is no `tmax` says nothing: the schema refuses it. */
export function leavesByTmax(json: unknown, startedAt: number): number {
  const tmax = getMember(json, 'tmax');
  const isTmax = typeof tmax === 'number' && Number.isSafeInteger(tmax) && tmax >= 0;
  return isTmax ? startedAt + tmax - WAY_BACK_MS : Number.POSITIVE_INFINITY;
}
