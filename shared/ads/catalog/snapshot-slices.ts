import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompressSync } from 'node:zlib';

/** Size of a slice before compression. Even incompressible data stays below the 400 KB limit of a DynamoDB item. */
export const SLICE_BYTES = 388 * 1024;

const compress = promisify(zstdCompress);
/** The fastest level: higher levels hardly make columns of numbers smaller. */
const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 } };

/**
 * Joins parts into compressed slices of at most `sliceBytes`; a larger part gets its own slice. Each slice has a checksum, verified before
 * its data is used. Keeps only one slice in memory.
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

/** One chunk for the whole slice, to avoid joining chunks. */
const DECOMPRESSION = { chunkSize: SLICE_BYTES, maxOutputLength: SLICE_BYTES };

/** Decompresses a slice into new memory; undefined if it is damaged. Takes a few milliseconds. A worker thread would take 50 % longer. */
export function unpackSlice(slice: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
  try {
    return zstdDecompressSync(slice, DECOMPRESSION);
  } catch {
    return undefined;
  }
}
