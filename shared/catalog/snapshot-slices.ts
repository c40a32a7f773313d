import { StringDecoder } from 'node:string_decoder';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Biddable } from '../campaigns/biddable.ts';
import type { SpendStats } from '../campaigns/spend-stats.ts';

/** What a snapshot is a stream of, one a line. */
export type SnapshotEntry = { campaign: Biddable } | { stats: SpendStats };

/** Bytes of a slice before it is compressed: what compresses badly stays well under the 400 KB of an item too. */
export const SLICE_BYTES = 256 * 1024;

const zip = promisify(gzip);
const unzip = promisify(gunzip);

/**
 * Cuts entries into slices, wherever one ends: an entry may go on in the next, or over several. Each is compressed by itself, beside
 * the event loop, so that each can be checked (gzip has a checksum) before anything of it is used. Holds one slice at a time.
 */
export async function* cut(entries: AsyncIterable<SnapshotEntry>, sliceBytes: number): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let room = sliceBytes;
  for await (const entry of entries) {
    let line: Uint8Array = Buffer.from(`${JSON.stringify(entry)}\n`);
    while (line.length >= room) {
      yield zip(Buffer.concat([...held, line.subarray(0, room)]));
      line = line.subarray(room);
      held = [];
      room = sliceBytes;
    }
    held.push(line);
    room -= line.length;
  }
  if (room < sliceBytes) yield zip(Buffer.concat(held));
}

/** What a slice holds. Undefined when it is damaged. */
export const unpack = (slice: Uint8Array): Promise<Uint8Array | undefined> =>
  unzip(slice, { maxOutputLength: SLICE_BYTES }).catch(() => undefined);

/** Makes lines of unpacked slices that it is given in order; one that goes on in the next slice comes with that. */
export function lineReader(): (unpacked: Uint8Array) => string[] {
  const decoder = new StringDecoder('utf8');
  let begun = '';
  return (unpacked) => {
    const lines = (begun + decoder.write(unpacked)).split('\n');
    begun = lines.pop()!;
    return lines;
  };
}

/** Undefined when the line is none that was written. */
export function entryOf(line: string): SnapshotEntry | undefined {
  try {
    return JSON.parse(line) as SnapshotEntry;
  } catch {
    return undefined;
  }
}
