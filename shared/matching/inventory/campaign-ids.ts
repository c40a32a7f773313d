import type { IndexColumns } from './segment.ts';
import { TextTable } from './text-table.ts';

/** Which campaign is in which slot. Those of a segment stay in its bytes; a string is made of an id when it is asked for. */
export class CampaignIds {
  readonly #segment: TextTable | undefined;
  /** Slots that a campaign of the segment had and has no longer. */
  readonly #left = new Set<number>();
  /** By slot; empty where there is none, undefined where the segment tells. */
  readonly #ids: (string | undefined)[];
  readonly #slots = new Map<string, number>();
  readonly #free: number[] = [];
  #size: number;

  constructor(columns?: IndexColumns) {
    this.#segment = columns && new TextTable(columns.ids, columns.idLengths, columns.idTable);
    this.#size = this.#segment?.texts.count ?? 0;
    this.#ids = new Array(this.#size);
  }

  get size(): number {
    return this.#size;
  }

  /** The id of the campaign in a slot. */
  at(slot: number): string {
    const known = this.#ids[slot];
    if (known !== undefined) return known;
    const id = this.#segment?.texts.at(slot) ?? '';
    this.#ids[slot] = id;
    return id;
  }

  /** The slot of a campaign. */
  findSlot(id: string): number | undefined {
    const slot = this.#slots.get(id);
    if (slot !== undefined || !this.#segment) return slot;
    const first = this.#segment.find(id);
    return first < 0 || this.#left.has(first) ? undefined : first;
  }

  /** Gives a campaign, which has none, a slot. */
  add(id: string): number {
    const slot = this.#free.pop() ?? this.#ids.length;
    this.#ids[slot] = id;
    this.#slots.set(id, slot);
    this.#size++;
    return slot;
  }

  delete(id: string, slot: number): void {
    if (!this.#slots.delete(id)) this.#left.add(slot);
    this.#ids[slot] = '';
    this.#free.push(slot);
    this.#size--;
  }
}
