import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompressSync } from 'node:zlib';

/** Bytes of a slice before it is compressed: what cannot be compressed stays under the 400 KB of an item too. */
export const SLICE_BYTES = 388 * 1024;

const compress = promisify(zstdCompress);
/** Columns of numbers hardly become smaller for more effort. */
const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 } };

/**
 * Puts parts together into slices: as many as fit into one, or a larger one alone. Each slice is compressed by itself, so that each can
 * be checked by its checksum before anything of it is used. Holds one slice at a time.
 */
export async function* cutSlices(parts: AsyncIterable<Uint8Array>, sliceBytes: number): AsyncGenerator<Uint8Array> {
  let pending: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of parts) {
    if (bytes > 0 && bytes + part.length > sliceBytes) {
      yield compress(Buffer.concat(pending), COMPRESSION);
      pending = [];
      bytes = 0;
    }
    pending.push(part);
    bytes += part.length;
  }
  if (bytes > 0) yield compress(Buffer.concat(pending), COMPRESSION);
}

/** A slice comes out in one piece. */
const DECOMPRESSION = { chunkSize: SLICE_BYTES, maxOutputLength: SLICE_BYTES };

/** What a slice holds, in memory of its own. Undefined when it is damaged. Takes some milliseconds: beside the event loop it would take half as much again. */
export function unpackSlice(slice: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
  try {
    return zstdDecompressSync(slice, DECOMPRESSION);
  } catch {
    return undefined;
  }
}
