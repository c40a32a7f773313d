import { toTopicId } from '../matching/index.ts';
import { getLexicon } from './catalog/lexicon.ts';

/** The names of topics by their IDs: "Air Travel". */
export const nameTopics = (): Map<string, string> =>
  new Map(getLexicon().topics.map((path) => [toTopicId(path), path.slice(path.lastIndexOf('>') + 1).trim()]));
