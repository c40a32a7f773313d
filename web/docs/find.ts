import type MiniSearch from 'minisearch';
import type { SearchResult } from 'minisearch';

const MAX_RESULTS = 12;

/** Words of questions, which say nothing about the subject. */
const STOP = new Set(
  (
    'a about an and any are as at be by can do does for from get give has have how i if in is it its me my not of on or our so than that ' +
    'the their them there these they this to use was we what when where which who why will with work you your'
  ).split(' '),
);

interface Result extends Pick<SearchResult, 'terms'> {
  /** The address of the section. */
  id: string;
  /** The title of the document. */
  title: string;
  /** The heading of the section. Empty for the beginning of a document. */
  heading: string;
  text: string;
}

/** Sections with all words of the query come before those with some. People who ask how to do something rarely look for internals. */
export function find(index: MiniSearch, query: string): Result[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  const subject = words.filter((word) => !STOP.has(word));
  const search = (combineWith: 'AND' | 'OR') =>
    index.search((subject.length > 0 ? subject : words).join(' '), {
      combineWith,
      prefix: (term) => term.length > 2 || term === words.at(-1),
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      boost: { title: 3, heading: 4, purpose: 2 },
      boostDocument: (_, __, fields) => (fields?.group === 'Internals' ? 0.4 : 1),
    });
  const all = search('AND');
  const found = new Set(all.map(({ id }) => id));
  return [...all, ...search('OR').filter(({ id }) => !found.has(id))]
    .slice(0, MAX_RESULTS)
    .map(({ id, title, heading, text, terms }) => ({ id, title, heading, text, terms }));
}
