import type { Lexicon } from '../lexicon/lexicon.ts';
import { fingerprint } from '../text/fingerprint.ts';
import { getPostingLists, toCampaignRecord } from './campaign-record.ts';
import { decodeVector } from './campaign-vectors.ts';
import type { ColumnWriter } from './columns.ts';
import { NumberList } from './growable-arrays.ts';
import { LanguageSets } from './language-sets.ts';
import type { MatchingProfile } from './matching-profile.ts';
import { PostingLists } from './posting-lists.ts';
import type { IndexShape } from './segment.ts';
import { TermDictionary } from './term-dictionary.ts';
import { buildHashTable, encodeText } from './text-table.ts';

/**
 * Builds an index campaign by campaign and writes it as columns. Most of a campaign is written at once. Only its lists, its ceiling, and a
 * hash of its id (about 150 bytes for 20 keywords) stay in memory, and the dictionary.
 */
export class SegmentWriter {
  readonly #lexicon: Lexicon;
  readonly #columns: ColumnWriter<IndexShape>;
  readonly #terms: TermDictionary;
  readonly #languages = new LanguageSets();
  readonly #postingLists = new PostingLists();
  readonly #ceilings: number[] = [];
  /** Fingerprints of the ids, in slot order. */
  readonly #fingerprints = new Set<number>();
  /** The lists of all campaigns, and by slot the index of its first list. */
  readonly #lists = new NumberList();
  readonly #firstLists = new NumberList();

  constructor(lexicon: Lexicon, columns: ColumnWriter<IndexShape>) {
    this.#lexicon = lexicon;
    this.#columns = columns;
    this.#terms = new TermDictionary(lexicon);
  }

  get count(): number {
    return this.#ceilings.length;
  }

  /** Adds a campaign. Returns false, and changes nothing, if the id was added before. */
  add(id: string, profile: MatchingProfile, ceiling: number): boolean {
    const columns = this.#columns;
    const idFingerprint = fingerprint(id);
    if (this.#fingerprints.has(idFingerprint)) return false;
    this.#fingerprints.add(idFingerprint);
    const slot = this.#ceilings.push(ceiling) - 1;
    const bytes = encodeText(id);
    columns.push('ids', bytes);
    columns.push('idLengths', [bytes.length]);
    columns.push('ceilings', [ceiling]);
    const record = toCampaignRecord(profile, this.#terms);
    columns.push('recordLengths', [record.length]);
    columns.push('records', record);
    this.#languages.set(slot, profile.l);
    columns.push('languages', [this.#languages.get(slot)]);
    columns.push('vectors', decodeVector(profile.w));
    this.#firstLists.push(this.#lists.length);
    const index = { records: { at: (i: number) => record[i]! }, terms: this.#terms, lexicon: this.#lexicon };
    for (const [list, bounds] of getPostingLists(index, 0)) {
      this.#lists.push(list);
      this.#postingLists.countCampaign(list, bounds);
    }
    return true;
  }

  /** Writes the columns that depend on all campaigns. */
  end(): void {
    const columns = this.#columns;
    columns.push('idTable', buildHashTable(this.#fingerprints));
    columns.push('languageSets', encodeText(this.#languages.text()));
    this.#terms.write(columns);
    const place = this.#postingLists.allocate();
    this.#firstLists.push(this.#lists.length);
    const [lists, first] = [this.#lists.numbers(), this.#firstLists.numbers()];
    for (const slot of this.#sortByCeiling())
      for (const list of lists.subarray(first[slot], first[slot + 1])) place(list, slot);
    this.#postingLists.write(columns);
  }

  /** The slots by descending ceiling. */
  #sortByCeiling(): Int32Array {
    const ceilings = this.#ceilings;
    return Int32Array.from(ceilings.keys()).sort((a, b) => ceilings[b]! - ceilings[a]! || a - b);
  }
}
