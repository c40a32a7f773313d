import { prefixSums } from '../text/prefix-sums.ts';
import { toCapacity } from './growable-arrays.ts';

/** Array class by column type. */
const ARRAYS = {
  text: Uint8Array,
  int8: Int8Array,
  uint8: Uint8Array,
  int32: Int32Array,
  float32: Float32Array,
  float64: Float64Array,
};
type Kind = keyof typeof ARRAYS;

/** The column types of a segment by name. Their order is part of the format. */
type Shape = Readonly<Record<string, Kind>>;

/** Adjacent numbers, with spare capacity so that the array can grow. Text has no spare capacity. */
export interface Column<K extends Kind> {
  numbers: InstanceType<(typeof ARRAYS)[K]>;
  length: number;
}
export type Columns<S extends Shape> = { [N in keyof S]: Column<S[N]> };

/** Length by column. A reader must know the lengths in advance. */
export type Lengths<S extends Shape> = Record<keyof S & string, number>;

/** Bytes or integers of a column that are buffered before a write. */
const FRAME_BYTES = 32 * 1024;
/** A frame's header: the number of its column, the bytes per number, and the length in bytes. */
const HEADER_BYTES = 6;
const INTEGER_BYTES = 4;

/** The collected part of a column. */
interface PendingFrame {
  number: number;
  kind: Kind;
  gathered: Uint8Array | Int32Array;
  end: number;
}

/**
 * Writes columns as frames: [column number, bytes per number, length in bytes (32 bits), bytes]. Columns may be interleaved, so the caller
 * need not keep them in memory. All integers of a frame have the width of the largest, stored as the lowest byte of each, then the next byte
 * of each, because similar adjacent bytes compress best.
 */
export class ColumnWriter<S extends Shape> {
  readonly lengths: Lengths<S>;
  readonly #pending: ReadonlyMap<string, PendingFrame>;
  #frames: Uint8Array[] = [];

  constructor(shape: S) {
    const kinds = Object.entries(shape);
    this.lengths = Object.fromEntries(kinds.map(([name]) => [name, 0])) as Lengths<S>;
    this.#pending = new Map(
      kinds.map(([name, kind], number) => {
        const collected = kind === 'int32' ? new Int32Array(FRAME_BYTES) : new Uint8Array(FRAME_BYTES);
        return [name, { number, kind, gathered: collected, end: 0 }];
      }),
    );
  }

  /** Appends numbers to a column. */
  push(name: keyof S & string, numbers: ArrayLike<number> & Iterable<number>): void {
    this.lengths[name] += numbers.length;
    const pending = this.#pending.get(name);
    if (!pending) throw new TypeError(`no column ${name}`);
    const { kind, gathered: collected } = pending;
    const parts = kind === 'int32' ? numbers : new Uint8Array(new ARRAYS[kind](numbers).buffer);
    for (const part of parts) {
      if (pending.end === FRAME_BYTES) this.#flush(pending);
      collected[pending.end++] = part;
    }
  }

  /** Removes and returns the full frames. */
  take(): Uint8Array[] {
    const frames = this.#frames;
    this.#frames = [];
    return frames;
  }

  /** Removes and returns all remaining frames. */
  end(): Uint8Array[] {
    for (const pending of this.#pending.values()) this.#flush(pending);
    return this.take();
  }

  #flush(pending: PendingFrame): void {
    if (pending.end > 0) {
      const { number, gathered: collected, end } = pending;
      const width = collected instanceof Int32Array ? countBytesOfLargest(collected.subarray(0, end)) : 1;
      const frame = new Uint8Array(HEADER_BYTES + width * end);
      frame.set([number, width]);
      new DataView(frame.buffer).setUint32(2, width * end, true);
      for (let i = 0, at = HEADER_BYTES; i < width; i++)
        for (const number of collected.subarray(0, end)) frame[at++] = number >>> (8 * i);
      this.#frames.push(frame);
    }
    pending.end = 0;
  }
}

/** Assembles columns from frames. */
export class ColumnReader<S extends Shape> {
  readonly #columns: { kind: Kind; numbers: Column<Kind>['numbers']; bytes: Uint8Array; length: number; end: number }[];
  readonly #names: string[];

  constructor(shape: S, lengths: Lengths<S>) {
    const lengthByName: Readonly<Record<string, number>> = lengths;
    this.#names = Object.keys(shape);
    this.#columns = Object.entries(shape).map(([name, kind]) => {
      const length = lengthByName[name] ?? 0;
      const numbers = new ARRAYS[kind](kind === 'text' ? length : toCapacity(length));
      return { kind, numbers, bytes: new Uint8Array(numbers.buffer), length, end: 0 };
    });
  }

  /** Reads whole frames; false if they are malformed. */
  take(frames: Uint8Array): boolean {
    const view = new DataView(frames.buffer, frames.byteOffset);
    for (let at = 0; at < frames.length; ) {
      const start = at + HEADER_BYTES;
      if (start > frames.length) return false;
      const end = start + view.getUint32(at + 2, true);
      if (end > frames.length || !this.#append(view.getUint8(at), view.getUint8(at + 1), frames.subarray(start, end)))
        return false;
      at = end;
    }
    return true;
  }

  /** The columns; undefined if one is shorter than announced. */
  columns(): Columns<S> | undefined {
    if (!this.#columns.every(({ end, length }) => end === length)) return undefined;
    return Object.fromEntries(
      this.#columns.map(({ numbers, length }, i) => [this.#names[i], { numbers, length }]),
    ) as Columns<S>;
  }

  #append(number: number, width: number, bytes: Uint8Array): boolean {
    const column = this.#columns[number];
    if (!column) return false;
    const { numbers, length, end } = column;
    const isInteger = numbers instanceof Int32Array;
    if (isInteger && (width < 1 || width > INTEGER_BYTES)) return false;
    column.end += bytes.length / (isInteger ? width : numbers.BYTES_PER_ELEMENT);
    if (column.end > length) return false;
    if (isInteger) readIntegers(bytes, width, numbers.subarray(end, column.end));
    else column.bytes.set(bytes, numbers.BYTES_PER_ELEMENT * end);
    return true;
  }
}

function countBytesOfLargest(numbers: Int32Array): number {
  let bits = 0;
  for (const number of numbers) bits |= number;
  return Math.max(1, Math.ceil((32 - Math.clz32(bits)) / 8));
}

/** An instance reads millions of integers at its start. Bulk copies and branchless loops are fastest. */
function readIntegers(bytes: Uint8Array, width: number, numbers: Int32Array): void {
  const { length } = numbers;
  numbers.set(bytes.subarray(0, length));
  for (let i = 1; i < width; i++) {
    const next = bytes.subarray(i * length);
    for (let j = 0; j < length; j++) numbers[j]! |= next[j]! << (8 * i);
  }
}

/** The start offsets of adjacent items with these lengths, and the end of the last item. */
export const toStarts = ({ numbers, length }: Column<'int32'>): Int32Array => prefixSums(numbers.subarray(0, length));
