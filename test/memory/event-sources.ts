import type { SourceClients } from '../../infra/local/sources.ts';
import { MAX_RECORDS } from '../../infra/local/stream-poller.ts';
import { queues } from '../../shared/platform/queues.ts';
import { streamRecord } from '../stream-record.ts';
import type { createMemoryDatabase } from './database.ts';
import type { createMemoryQueue } from './queue.ts';

/** Streams and queues for workers on an in-memory database. A stream has one shard, whose iterators are numbers. */
export function createMemorySources(
  { changes }: ReturnType<typeof createMemoryDatabase>,
  { receive, remove }: ReturnType<typeof createMemoryQueue>,
): SourceClients {
  const streams = new Map<string, ReturnType<typeof streamRecord>[]>();
  let recorded = 0;
  /** The records of a table's stream. Each is created once, because several workers read it. */
  const getRecords = (name: string) => {
    for (; recorded < changes.length; recorded++) {
      const { table, old, now } = changes[recorded]!;
      if (!streams.has(table)) streams.set(table, []);
      streams.get(table)!.push(streamRecord(old, now, table));
    }
    return streams.get(name) ?? [];
  };

  return {
    shards: (table) => ({
      async find(through) {
        const last = through('shard');
        const at = getRecords(table).findIndex(({ dynamodb }) => dynamodb!.SequenceNumber === last);
        return new Map([['shard', String(at + 1)]]);
      },
      async read(from) {
        const records = getRecords(table).slice(Number(from), Number(from) + MAX_RECORDS);
        return { records, next: String(Number(from) + records.length) };
      },
    }),
    queue(name) {
      if (name !== 'deliveries') throw new TypeError(`no function receives from ${name} in memory`);
      const taken = new Map<string | undefined, NonNullable<ReturnType<typeof receive>>>();
      return {
        async receive(max) {
          const next = () => receive(queues.deliveries.visibilitySeconds * 1000);
          const messages = Array.from({ length: max }, next).filter((message) => message !== undefined);
          return messages.map((message) => {
            const { receipt, body, sentAt } = message;
            taken.set(receipt, message);
            return {
              MessageId: receipt,
              ReceiptHandle: receipt,
              Body: body,
              Attributes: { SentTimestamp: String(sentAt) },
            };
          });
        },
        async remove(messages) {
          for (const { MessageId } of messages) remove(taken.get(MessageId)!);
        },
      };
    },
  };
}
