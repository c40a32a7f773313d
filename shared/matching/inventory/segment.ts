import type { Columns } from './columns.ts';

/**
 * The columns of a segment: an index as it is in memory, with slots in insertion order. An instance that reads them has
 * the index without building it.
 */
export const INDEX_SHAPE = {
  // By slot.
  ids: 'text',
  idLengths: 'int32',
  ceilings: 'float64',
  recordLengths: 'int32',
  records: 'int32',
  languages: 'int32',
  vectors: 'int8',
  // Hash table of the ids.
  idTable: 'int32',
  // The sets of languages, one per line.
  languageSets: 'text',
  // By term.
  fingerprints: 'float64',
  rarities: 'float32',
  useCounts: 'int32',
  // By list.
  listSizes: 'int32',
  listStarts: 'int32',
  longestKeywords: 'uint8',
  mostEvidence: 'float32',
  mostKeywords: 'uint8',
  // The blocks of every posting list that has more than one campaign.
  postings: 'int32',
} as const;

export type IndexShape = typeof INDEX_SHAPE;
export type IndexColumns = Columns<IndexShape>;
