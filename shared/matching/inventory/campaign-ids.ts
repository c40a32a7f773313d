import type { IndexColumns } from './segment.ts';
import { TextTable } from './text-table.ts';

/** Maps slots to campaign ids and back. Ids of a segment stay bytes until one is requested as a string. */
export class CampaignIds {
  readonly #segment: TextTable | undefined;
  /** Slots of removed segment campaigns. */
  readonly #removed = new Set<number>();
  /** By slot, the campaign's ID: empty if the slot is free, undefined if the segment stores the ID. */
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

  at(slot: number): string {
    const cached = this.#ids[slot];
    if (cached !== undefined) return cached;
    const id = this.#segment?.texts.at(slot) ?? '';
    this.#ids[slot] = id;
    return id;
  }

  findSlot(id: string): number | undefined {
    const slot = this.#slots.get(id);
    if (slot !== undefined || !this.#segment) return slot;
    const first = this.#segment.find(id);
    return first < 0 || this.#removed.has(first) ? undefined : first;
  }

  /** Assigns a slot to a campaign that has none. */
  add(id: string): number {
    const slot = this.#free.pop() ?? this.#ids.length;
    this.#ids[slot] = id;
    this.#slots.set(id, slot);
    this.#size++;
    return slot;
  }

  delete(id: string, slot: number): void {
    if (!this.#slots.delete(id)) this.#removed.add(slot);
    this.#ids[slot] = '';
    this.#free.push(slot);
    this.#size--;
  }
}
