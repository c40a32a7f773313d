import { crc32 } from 'node:zlib';
import type { CompiledLexicon } from './lexicon.ts';

/** Increment it when CompiledLexicon changes. */
const FORMAT = 8;
/** "LEX" and the format. A file in the other byte order reads as another number. */
const MAGIC = 0x4c455800 + FORMAT;
/** Offsets of arrays are multiples of this. */
const ALIGNMENT = 8;
/** Magic number, checksum of everything after these two, and length of the header in bytes. */
const PREFIX_BYTES = 3 * Uint32Array.BYTES_PER_ELEMENT;

const ARRAYS = { Int8Array, Uint8Array, Uint16Array, Int32Array, Float32Array };
type ArrayType = keyof typeof ARRAYS;
type StoredArray = InstanceType<(typeof ARRAYS)[ArrayType]>;
/** The header's entry for an array: its type, and its offset after the header. */
interface ArrayLocation {
  array: ArrayType;
  offset: number;
  length: number;
}

/**
 * Writes a compiled lexicon as a JSON header followed by the arrays as they are in memory, which makes reading them
 * free.
 */
export function packLexicon(compiled: CompiledLexicon): Uint8Array {
  const stored: { array: StoredArray; offset: number }[] = [];
  let size = 0;
  const header = Object.entries(compiled).map(([name, value]) => {
    if (!ArrayBuffer.isView(value)) return [name, value];
    const array = value as StoredArray;
    const type = array.constructor.name as ArrayType;
    const location: ArrayLocation = { array: type, offset: size, length: array.length };
    stored.push({ array, offset: size });
    size = align(size + array.byteLength);
    return [name, location];
  });
  const json = Buffer.from(JSON.stringify(Object.fromEntries(header)));
  const start = align(PREFIX_BYTES + json.length);
  const file = new Uint8Array(start + size);
  file.set(json, PREFIX_BYTES);
  for (const { array, offset } of stored)
    file.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), start + offset);
  const prefix = new Uint32Array(file.buffer, 0, 3);
  prefix[0] = MAGIC;
  prefix[2] = json.length;
  prefix[1] = checksum(file);
  return file;
}

/**
 * Reads a lexicon from a file. Its arrays share the file's memory. @throws if the file is damaged or has another format
 */
export function unpackLexicon(file: Uint8Array): CompiledLexicon {
  const prefix = file.length < PREFIX_BYTES ? [] : new Uint32Array(file.slice(0, PREFIX_BYTES).buffer);
  const [magic, sum, length = 0] = prefix;
  if (magic !== MAGIC) throw new Error(`The lexicon file has another format. ${HOW_TO_FIX}`);
  if (sum !== checksum(file)) throw new Error(`The lexicon file is damaged. ${HOW_TO_FIX}`);
  const header: object = JSON.parse(Buffer.from(file.buffer, file.byteOffset + PREFIX_BYTES, length).toString());
  const start = file.byteOffset + align(PREFIX_BYTES + length);
  const fields = Object.entries(header).map(([name, value]) => {
    if (!isArrayLocation(value)) return [name, value];
    return [name, new ARRAYS[value.array](file.buffer as ArrayBuffer, start + value.offset, value.length)];
  });
  return Object.fromEntries(fields);
}

const HOW_TO_FIX = 'Run "npm run train -- lexicon" to rebuild it.';

const isArrayLocation = (value: unknown): value is ArrayLocation =>
  typeof value === 'object' && value !== null && 'array' in value;

const align = (bytes: number): number => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;

/** Checksum of all but the magic number and itself. */
const checksum = (file: Uint8Array): number => crc32(file.subarray(2 * Uint32Array.BYTES_PER_ELEMENT));
