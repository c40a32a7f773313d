import type { Database } from '../../shared/platform/database.ts';

interface CallMeter {
  bytes: number;
  readUnits: number;
  writeUnits: number;
}

/** A database that counts the request units of writing the snapshot, and of each read of it. */
export function meterSnapshots(db: Database): { db: Database; meter: CallMeter } {
  const meter: CallMeter = { bytes: 0, readUnits: 0, writeUnits: 0 };
  return {
    meter,
    db: {
      ...db,
      async write(write, returning) {
        if (write.table === 'snapshots' && 'put' in write) {
          const bytes = sizeOf(write.put);
          meter.bytes += bytes;
          meter.writeUnits += Math.ceil(bytes / 1024);
          meter.readUnits += Math.ceil(bytes / 4096); // consistent
        }
        return db.write(write, returning);
      },
    },
  };
}

/** Bytes of an item ("DynamoDB item sizes and formats", Amazon DynamoDB Developer Guide). */
const sizeOf = (item: object): number =>
  Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + bytesOf(value), 0);

function bytesOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return Math.ceil(String(value).length / 2) + 1;
  if (value instanceof Uint8Array) return value.length;
  if (Array.isArray(value)) return value.reduce((sum, one) => sum + bytesOf(one) + 1, 3);
  if (typeof value === 'object' && value !== null) return 3 + sizeOf(value) + Object.keys(value).length;
  return 1;
}
