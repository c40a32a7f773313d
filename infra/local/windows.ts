import type { DynamoDBRecord } from 'aws-lambda';
import type { StreamAnswer, StreamBatch, StreamHandler } from '../../shared/http/workers/worker.ts';

/**
 * Tumbling windows as Lambda has them: each batch names its shard and carries the state of the window on; an answer without a state is
 * a failure of the whole batch; and a window that has ended is told once, with its state and no records.
 */
export function inWindows(handler: StreamHandler, windowMs: number) {
  const open = new Map<string, { start: number; state: StreamBatch['state'] }>();

  async function call(
    shardId: string,
    start: number,
    Records: DynamoDBRecord[],
    isFinal: boolean,
  ): Promise<StreamAnswer> {
    const window = { start: new Date(start).toISOString(), end: new Date(start + windowMs).toISOString() };
    const state = open.get(shardId)?.state ?? {};
    const answer = await handler({ Records, shardId, state, window, isFinalInvokeForWindow: isFinal });
    if (!answer.state) throw new Error('an answer to a batch in a window has no state');
    return answer;
  }

  return async (shardId: string, records: DynamoDBRecord[]): Promise<StreamAnswer> => {
    const start = Math.floor(Date.now() / windowMs) * windowMs;
    const before = open.get(shardId);
    if (before && before.start < start) {
      await call(shardId, before.start, [], true);
      open.delete(shardId);
    }
    const answer = await call(shardId, start, records, false);
    open.set(shardId, { start, state: answer.state });
    return answer;
  };
}
