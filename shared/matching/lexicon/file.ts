import { crc32 } from 'node:zlib';
import type { CompiledLexicon } from './lexicon.ts';

/** Raise it when CompiledLexicon changes. */
const FORMAT = 1;
/** "LEX" and the format; in a file of another byte order it reads as another number. */
const MARK = 0x4c455800 + FORMAT;
/** What an array may begin at a multiple of. */
const ALIGNMENT = 8;
/** Mark, checksum of all that follows them, and bytes of the header. */
const PREFIX = 3 * Uint32Array.BYTES_PER_ELEMENT;

const ARRAYS = { Uint8Array, Uint16Array, Int32Array, Float32Array };
type Laid = InstanceType<(typeof ARRAYS)[keyof typeof ARRAYS]>;
/** What stands in the header for an array: where it lies behind the header. */
interface Place {
  array: keyof typeof ARRAYS;
  at: number;
  length: number;
}

/** A compiled lexicon as a file: a header of JSON, and behind it the arrays as they lie in memory, so that reading them is no work. */
export function packLexicon(compiled: CompiledLexicon): Uint8Array {
  const laid: { array: Laid; at: number }[] = [];
  let size = 0;
  const header = Object.entries(compiled).map(([name, value]) => {
    if (!ArrayBuffer.isView(value)) return [name, value];
    const array = value as Laid;
    const place: Place = { array: array.constructor.name as Place['array'], at: size, length: array.length };
    laid.push({ array, at: size });
    size = aligned(size + array.byteLength);
    return [name, place];
  });
  const json = Buffer.from(JSON.stringify(Object.fromEntries(header)));
  const start = aligned(PREFIX + json.length);
  const file = new Uint8Array(start + size);
  file.set(json, PREFIX);
  for (const { array, at } of laid)
    file.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), start + at);
  const prefix = new Uint32Array(file.buffer, 0, 3);
  prefix[0] = MARK;
  prefix[2] = json.length;
  prefix[1] = checksum(file);
  return file;
}

/** The lexicon of a file, whose memory its arrays share. @throws when it is not whole or of another format */
export function unpackLexicon(file: Uint8Array): CompiledLexicon {
  const [mark, sum, length] = file.length < PREFIX ? [] : new Uint32Array(file.slice(0, PREFIX).buffer);
  if (mark !== MARK) throw new Error(`The lexicon's file is of another format. ${REMEDY}`);
  if (sum !== checksum(file)) throw new Error(`The lexicon's file is damaged. ${REMEDY}`);
  const json = Buffer.from(file.buffer, file.byteOffset + PREFIX, length).toString();
  const start = file.byteOffset + aligned(PREFIX + length!);
  const header = Object.entries(JSON.parse(json) as Record<string, Place | unknown>).map(([name, value]) => [
    name,
    isPlace(value) ? new ARRAYS[value.array](file.buffer as ArrayBuffer, start + value.at, value.length) : value,
  ]);
  return Object.fromEntries(header) as CompiledLexicon;
}

const REMEDY = '"npm run lexicon" makes it anew.';

const isPlace = (value: unknown): value is Place => typeof value === 'object' && value !== null && 'array' in value;

const aligned = (bytes: number): number => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;

/** Of everything but the mark and itself. */
const checksum = (file: Uint8Array): number => crc32(file.subarray(2 * Uint32Array.BYTES_PER_ELEMENT));
