import { capacityFor } from './capacity.ts';

/** What a column holds, and the array that it is in memory. */
const ARRAYS = {
  text: Uint8Array,
  int8: Int8Array,
  uint8: Uint8Array,
  int32: Int32Array,
  float32: Float32Array,
  float64: Float64Array,
};
type Kind = keyof typeof ARRAYS;

/** The columns of a segment by name. In which order they are told decides how they are written: another order is another format. */
type Shape = Readonly<Record<string, Kind>>;

/** Numbers side by side, with room for more behind them: what is read goes on as an array that grows. Text does not. */
export interface Column<K extends Kind> {
  numbers: InstanceType<(typeof ARRAYS)[K]>;
  length: number;
}
export type Columns<S extends Shape> = { [N in keyof S]: Column<S[N]> };

/** How many numbers each column has: what a reader has to know beforehand. */
export type Lengths<S extends Shape> = Record<keyof S & string, number>;

/** Bytes of a column that are gathered before they are written. */
const FRAME_BYTES = 16 * 1024;
/** Before the bytes of a frame: the number of its column, and how many bytes they are. */
const HEADER_BYTES = 5;
/** Of a whole frame, at most. */
const MOST_BYTES = HEADER_BYTES + FRAME_BYTES;

/**
 * Writes columns as one stream of bytes, in frames: [number of the column, length in bytes (32 bits), bytes]. Columns may be written
 * by turns, so that whoever writes them need not hold any. Integers are written in as few bytes as they need, seven bits in each.
 */
export class ColumnWriter<S extends Shape> {
  readonly lengths: Lengths<S>;
  readonly #shape: S;
  readonly #pending: Map<string, { number: number; bytes: Uint8Array; end: number }>;
  #frames: Uint8Array[] = [];

  constructor(shape: S) {
    this.#shape = shape;
    const names: (keyof S & string)[] = Object.keys(shape);
    this.lengths = Object.fromEntries(names.map((name) => [name, 0])) as Lengths<S>;
    this.#pending = new Map(
      names.map((name, number) => [name, { number, bytes: new Uint8Array(MOST_BYTES), end: HEADER_BYTES }]),
    );
  }

  /** Appends numbers to a column. */
  push(name: keyof S & string, numbers: ArrayLike<number>): void {
    this.lengths[name] += numbers.length;
    const kind: Kind = this.#shape[name]!;
    if (kind === 'int32') this.#pushIntegers(name, numbers);
    else this.#pushBytes(name, new ARRAYS[kind](numbers).buffer);
  }

  /** The frames that are full, once. */
  take(): Uint8Array[] {
    const frames = this.#frames;
    this.#frames = [];
    return frames;
  }

  /** All frames that are left. */
  end(): Uint8Array[] {
    for (const name of this.#pending.keys()) this.#flush(name);
    return this.take();
  }

  #pushBytes(name: string, buffer: ArrayBufferLike): void {
    for (let at = 0; at < buffer.byteLength; at += FRAME_BYTES) {
      const part = new Uint8Array(buffer, at, Math.min(FRAME_BYTES, buffer.byteLength - at));
      const pending = this.#roomFor(name, part.length);
      pending.bytes.set(part, pending.end);
      pending.end += part.length;
    }
  }

  #pushIntegers(name: string, numbers: ArrayLike<number>): void {
    for (let i = 0; i < numbers.length; i++) {
      const pending = this.#roomFor(name, 5);
      let left = numbers[i]! >>> 0;
      for (; left > 0x7f; left >>>= 7) pending.bytes[pending.end++] = left | 0x80;
      pending.bytes[pending.end++] = left;
    }
  }

  #roomFor(name: string, bytes: number) {
    const pending = this.#pending.get(name)!;
    if (pending.end + bytes > MOST_BYTES) this.#flush(name);
    return pending;
  }

  #flush(name: string): void {
    const pending = this.#pending.get(name)!;
    if (pending.end > HEADER_BYTES) {
      const frame = pending.bytes.slice(0, pending.end);
      frame[0] = pending.number;
      new DataView(frame.buffer).setUint32(1, frame.length - HEADER_BYTES, true);
      this.#frames.push(frame);
    }
    pending.end = HEADER_BYTES;
  }
}

/** Makes columns of the stream of bytes that they were written as, whichever parts it comes in. */
export class ColumnReader<S extends Shape> {
  readonly #columns: { kind: Kind; numbers: Column<Kind>['numbers']; bytes: Uint8Array; length: number; end: number }[];
  readonly #names: string[];
  /** A frame of which a part is still to come. */
  #begun: Uint8Array = new Uint8Array(0);

  constructor(shape: S, lengths: Lengths<S>) {
    this.#names = Object.keys(shape);
    this.#columns = this.#names.map((name) => {
      const kind: Kind = shape[name]!;
      const length = lengths[name]!;
      const numbers = new ARRAYS[kind](kind === 'text' ? length : capacityFor(length));
      return { kind, numbers, bytes: new Uint8Array(numbers.buffer), length, end: 0 };
    });
  }

  /** Takes the next part of the stream; false where it is none that was written. */
  take(part: Uint8Array): boolean {
    const begun = this.#begun;
    let at = 0;
    if (begun.length > 0) {
      const first = joined(begun, part.subarray(0, MOST_BYTES));
      const end = this.#takeFrame(first, 0);
      if (end < 0) return false;
      if (end === 0) {
        this.#begun = first; // all of the part was in it
        return true;
      }
      at = end - begun.length;
    }
    for (;;) {
      const end = this.#takeFrame(part, at);
      if (end < 0) return false;
      if (end === at) break;
      at = end;
    }
    this.#begun = new Uint8Array(part.subarray(at)); // a copy: the part may be used for others
    return true;
  }

  /** The columns; undefined where one is not as long as it should be. */
  columns(): Columns<S> | undefined {
    const isWhole = this.#begun.length === 0 && this.#columns.every(({ end, length }) => end === length);
    if (!isWhole) return undefined;
    return Object.fromEntries(
      this.#columns.map(({ numbers, length }, i) => [this.#names[i], { numbers, length }]),
    ) as Columns<S>;
  }

  /** Gives where the frame at an index ends: there itself where it is not whole, -1 where it is none that was written. */
  #takeFrame(bytes: Uint8Array, at: number): number {
    if (at + HEADER_BYTES > bytes.length) return at;
    const end = at + HEADER_BYTES + new DataView(bytes.buffer, bytes.byteOffset).getUint32(at + 1, true);
    if (end - at > MOST_BYTES) return -1;
    if (end > bytes.length) return at;
    return this.#append(bytes[at]!, bytes.subarray(at + HEADER_BYTES, end)) ? end : -1;
  }

  #append(number: number, bytes: Uint8Array): boolean {
    const column = this.#columns[number];
    if (!column) return false;
    const { numbers, length, end } = column;
    if (numbers instanceof Int32Array) column.end = readIntegers(bytes, numbers, end);
    else {
      const size = numbers.BYTES_PER_ELEMENT;
      if (size * end + bytes.length <= size * length) column.bytes.set(bytes, size * end);
      column.end += bytes.length / size;
    }
    return column.end <= length;
  }
}

/** Gives where the integers end. */
function readIntegers(bytes: Uint8Array, numbers: Int32Array, end: number): number {
  let written = end;
  for (let at = 0; at < bytes.length; ) {
    let byte = bytes[at++]!;
    let number = byte & 0x7f;
    for (let shift = 7; byte > 0x7f && at < bytes.length; shift += 7) {
      byte = bytes[at++]!;
      number |= (byte & 0x7f) << shift;
    }
    numbers[written++] = number;
  }
  return written;
}

/** Where each of many things begins that lie side by side, and where the last one ends. */
export function startsOf({ numbers, length }: Column<'int32'>): Int32Array {
  const starts = new Int32Array(length + 1);
  for (let i = 0; i < length; i++) starts[i + 1] = starts[i]! + numbers[i]!;
  return starts;
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}
