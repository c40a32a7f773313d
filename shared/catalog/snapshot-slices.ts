import { promisify } from 'node:util';
import { constants, gunzipSync, gzip } from 'node:zlib';

/** Bytes of a slice before it is compressed: what cannot be compressed stays under the 400 KB of an item too. */
export const SLICE_BYTES = 384 * 1024;

const zip = promisify(gzip);
/** Columns of numbers hardly become smaller for more effort. */
const EFFORT = { level: constants.Z_BEST_SPEED };

/**
 * Cuts a stream of bytes into slices. Each is compressed by itself, so that each can be checked (gzip has a checksum) before anything
 * of it is used. Holds one slice at a time.
 */
export async function* cut(parts: AsyncIterable<Uint8Array>, sliceBytes: number): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let room = sliceBytes;
  for await (let part of parts) {
    while (part.length >= room) {
      yield zip(Buffer.concat([...held, part.subarray(0, room)]), EFFORT);
      part = part.subarray(room);
      held = [];
      room = sliceBytes;
    }
    held.push(part);
    room -= part.length;
  }
  if (room < sliceBytes) yield zip(Buffer.concat(held), EFFORT);
}

/** A slice comes out in one piece. */
const WHOLE = { chunkSize: SLICE_BYTES, maxOutputLength: SLICE_BYTES };

/** What a slice holds. Undefined when it is damaged. Takes some milliseconds: beside the event loop it would take half as much again. */
export function unpack(slice: Uint8Array): Uint8Array | undefined {
  try {
    return gunzipSync(slice, WHOLE);
  } catch {
    return undefined;
  }
}
