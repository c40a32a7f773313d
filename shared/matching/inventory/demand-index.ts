import type { Lexicon } from '../lexicon/lexicon.ts';
import { LanguageSets } from './language-sets.ts';
import type { MatchingProfile } from './matching-profile.ts';
import type { PostingList } from './posting-list.ts';
import { type KeywordBounds, PostingLists } from './posting-lists.ts';
import { CampaignRecords } from './records.ts';
import { SlotTable } from './slots.ts';
import { TermDictionary } from './term-dictionary.ts';
import { VectorTable } from './vector-table.ts';

/** Bands of affinity, each as wide as the others: the campaigns that are closest to a topic are found first. */
export const AFFINITY_BANDS = 8;
const BAND_WIDTH = 10;
/** The largest affinity of a band. */
export const bandAffinity = (band: number): number => (100 - BAND_WIDTH * band) / 100;
const bandOf = (percent: number): number =>
  Math.max(0, Math.min(AFFINITY_BANDS - 1, Math.floor((100 - percent) / BAND_WIDTH)));

/** Of a campaign in the list of a topic, which no keyword has put there. */
const NO_KEYWORDS: KeywordBounds = { length: 0, evidence: 0, keywords: 0 };

/**
 * The inverted index of campaigns: each is a slot, its matching profile a record
 * [topics, topic, percent, …, keywords, length, head, term, …, exclusions, length, term, …],
 * and it is in a posting list for each of its topics, by band of affinity, and for the rarest term of each of its keywords.
 */
export class DemandIndex {
  readonly lexicon: Lexicon;
  readonly terms: TermDictionary;
  readonly slots = new SlotTable();
  readonly records = new CampaignRecords(this.slots);
  readonly postingLists = new PostingLists();
  readonly languages = new LanguageSets();
  readonly vectors = new VectorTable();
  readonly #firstTermList: number;
  /** By slot, the campaign's id. */
  readonly #ids: string[] = [];
  readonly #slotOf = new Map<string, number>();
  readonly #free: number[] = [];

  constructor(lexicon: Lexicon) {
    this.lexicon = lexicon;
    this.terms = new TermDictionary(lexicon);
    this.#firstTermList = AFFINITY_BANDS * lexicon.topics.length;
  }

  get size(): number {
    return this.#slotOf.size;
  }

  /** The id of the campaign in a slot. */
  id(slot: number): string {
    return this.#ids[slot] ?? '';
  }

  set(id: string, profile: MatchingProfile, ceiling: number): void {
    if (profile.v !== this.lexicon.version)
      throw new Error(
        `the matching profile is of lexicon ${profile.v}, this index has ${this.lexicon.version}: make the profile again`,
      );
    // The new words are added before the old ones are released: most are the same.
    const record = this.#record(profile);
    this.delete(id);
    const slot = this.#free.pop() ?? this.#ids.length;
    this.#ids[slot] = id;
    this.#slotOf.set(id, slot);
    this.slots.setCeiling(slot, ceiling);
    this.languages.set(slot, profile.l);
    this.records.insert(slot, record);
    this.vectors.set(slot, profile.w);
    for (const [list, bounds] of this.#listsOf(slot)) this.postingLists.insert(list, slot, this.slots, bounds);
  }

  delete(id: string): void {
    const slot = this.#slotOf.get(id);
    if (slot === undefined) return;
    for (const list of this.#listsOf(slot).keys()) this.postingLists.remove(list, slot, this.slots);
    this.#releaseTerms(slot);
    this.records.delete(slot);
    this.#slotOf.delete(id);
    this.#ids[slot] = '';
    this.#free.push(slot);
  }

  /** The list of the campaigns of a topic whose affinity to it is in a band, see `bandAffinity`. */
  topicList(topic: number, band: number): number {
    return AFFINITY_BANDS * topic + band;
  }

  /** The list of the campaigns one of whose keywords has a term as its rarest word. */
  termList(term: number): number {
    return this.#firstTermList + term;
  }

  postings(list: number): PostingList {
    return this.postingLists.list(list);
  }

  /** Every list a campaign is in, each once, with what its keywords can score there. */
  #listsOf(slot: number): Map<number, KeywordBounds> {
    const { records } = this;
    const lists = new Map<number, KeywordBounds>();
    let at = this.slots.recordStart(slot);
    for (let topics = records.at(at++); topics > 0; topics--, at += 2)
      lists.set(this.topicList(records.at(at), bandOf(records.at(at + 1))), NO_KEYWORDS);
    const keywords = records.at(at++);
    for (let left = keywords; left > 0; left--) {
      const length = records.at(at);
      const first = at + 2;
      const list = this.termList(records.at(first + records.at(at + 1)));
      const known = lists.get(list);
      lists.set(list, {
        length: Math.max(known?.length ?? 0, length),
        evidence: Math.max(known?.evidence ?? 0, keywordSalience(this, first, length)),
        keywords,
      });
      at = first + length;
    }
    return lists;
  }

  #releaseTerms(slot: number): void {
    const { records, terms } = this;
    let at = this.slots.recordStart(slot);
    at += 1 + 2 * records.at(at);
    for (const header of [2, 1])
      for (let phrases = records.at(at++); phrases > 0; phrases--) {
        const first = at + header;
        at = first + records.at(at);
        for (let term = first; term < at; term++) terms.release(records.at(term));
      }
  }

  #record({ t, k, x }: MatchingProfile): number[] {
    const keywords = this.#termsOf(k);
    const excluded = this.#termsOf(x);
    return [
      t.length / 2,
      ...t,
      keywords.length,
      ...keywords.flatMap((terms) => [terms.length, this.#rarest(terms), ...terms]),
      excluded.length,
      ...excluded.flatMap((terms) => [terms.length, ...terms]),
    ];
  }

  #termsOf(phrases: string): number[][] {
    if (phrases === '') return [];
    return phrases.split('|').map((phrase) => phrase.split(' ').map((stem) => this.terms.add(stem)));
  }

  /** Position of a phrase's rarest word, the last of equals: in English the noun that it is about. */
  #rarest(terms: readonly number[]): number {
    const rarities = terms.map((term) => this.terms.rarity(term));
    return rarities.lastIndexOf(Math.max(...rarities));
  }
}

/** The evidence that a keyword is when it was said whole just now: 1 when its words are rare. */
export function keywordSalience({ records, terms }: DemandIndex, first: number, length: number): number {
  let absent = 1;
  for (let index = first; index < first + length; index++) {
    const rarity = terms.rarity(records.at(index));
    absent *= 1 - (length > 1 ? 0.25 + 0.75 * rarity : rarity);
  }
  return 1 - absent;
}
