import type { Lexicon } from '../lexicon/lexicon.ts';
import { CampaignIds } from './campaign-ids.ts';
import {
  getKeywordLength,
  getPostingLists,
  toCampaignRecord,
  toMeaningList,
  toTermList,
  toTopicList,
} from './campaign-record.ts';
import { CampaignRecords, SlotTable } from './campaign-slots.ts';
import { VectorTable } from './campaign-vectors.ts';
import { LanguageSets } from './language-sets.ts';
import type { MatchingProfile } from './matching-profile.ts';
import type { PostingList } from './posting-lists.ts';
import { PostingLists } from './posting-lists.ts';
import type { IndexColumns } from './segment.ts';
import { TermDictionary } from './term-dictionary.ts';

/**
 * The inverted index of campaigns. A campaign has a slot and a record of its matching profile. It is in one posting list per topic, by
 * affinity band, and in one per keyword, by the keyword's rarest term. The index starts empty or from a segment; it then owns the segment's
 * memory and changes it in place.
 */
export class DemandIndex {
  readonly lexicon: Lexicon;
  readonly terms: TermDictionary;
  readonly slots: SlotTable;
  readonly records: CampaignRecords;
  readonly postingLists: PostingLists;
  readonly languages: LanguageSets;
  readonly vectors: VectorTable;
  readonly #ids: CampaignIds;

  constructor(lexicon: Lexicon, segment?: IndexColumns) {
    this.lexicon = lexicon;
    this.terms = new TermDictionary(lexicon, segment);
    this.slots = new SlotTable(segment);
    this.records = new CampaignRecords(this.slots, segment);
    this.postingLists = new PostingLists(segment);
    this.languages = new LanguageSets(segment);
    this.vectors = new VectorTable(segment);
    this.#ids = new CampaignIds(segment);
  }

  get size(): number {
    return this.#ids.size;
  }

  id(slot: number): string {
    return this.#ids.at(slot);
  }

  set(id: string, profile: MatchingProfile, ceiling: number): void {
    if (profile.v !== this.lexicon.version)
      throw new Error(
        `the matching profile is for lexicon ${profile.v}, but this index has ${this.lexicon.version}: rebuild the profile`,
      );
    // Add the new words before releasing the old ones: most are the same.
    const record = toCampaignRecord(profile, this.terms);
    this.delete(id);
    const slot = this.#ids.add(id);
    this.slots.setCeiling(slot, ceiling);
    this.languages.set(slot, profile.l);
    this.records.insert(slot, record);
    this.vectors.set(slot, profile.w);
    for (const [list, bounds] of this.#lists(slot)) this.postingLists.insert(list, slot, this.slots, bounds);
  }

  delete(id: string): void {
    const slot = this.#ids.findSlot(id);
    if (slot === undefined) return;
    for (const list of this.#lists(slot).keys()) this.postingLists.remove(list, slot, this.slots);
    this.#releaseTerms(slot);
    this.records.delete(slot);
    this.#ids.delete(id, slot);
  }

  topicList(topic: number, band: number): number {
    return toTopicList(topic, band);
  }

  meaningList(topic: number): number {
    return toMeaningList(topic, this.lexicon);
  }

  termList(term: number): number {
    return toTermList(term, this.lexicon);
  }

  postings(list: number): PostingList {
    return this.postingLists.get(list);
  }

  /**
   * Prefetches the fields that a match reads first, for a range of a list's campaigns: independent reads overlap their memory latency. The
   * sum only keeps V8 from eliminating the reads.
   */
  prefetch(postings: PostingList, from: number, to: number): number {
    let sum = 0;
    for (let position = from; position < to && position < postings.length; position++) {
      const slot = postings.slotAt(position);
      sum += this.records.at(this.slots.recordStart(slot)) + this.languages.get(slot);
    }
    return sum;
  }

  #lists(slot: number): ReturnType<typeof getPostingLists> {
    return getPostingLists(this, this.slots.recordStart(slot));
  }

  #releaseTerms(slot: number): void {
    const { records, terms } = this;
    let at = this.slots.recordStart(slot) + 1;
    at += 1 + 2 * records.at(at);
    for (const _ of ['keywords', 'exclusions'])
      for (let phrases = records.at(at++); phrases > 0; phrases--)
        for (let left = getKeywordLength(records.at(at++)); left > 0; left--) terms.release(records.at(at++));
  }
}
