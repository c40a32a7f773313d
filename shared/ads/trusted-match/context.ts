import type { Message } from '../../matching/index.ts';
import type { Categories } from '../openrtb/categories.ts';
import { buildContext } from '../openrtb/context.ts';
import type { ContextMatchRequest } from './context-schema.ts';

type Signals = NonNullable<ContextMatchRequest['context_signals']>;

/** The Content Taxonomy 3.0. */
const CONTENT_3_0 = 7;
/** Characters of a text that are looked at: matching reads no more of a conversation. */
const MOST_CHARACTERS = 65_536;

/**
 * What offers are asked for with: the texts of the artifact in their order, then what the publisher says that they are about, which is meant for
 * this moment. Who speaks in an artifact is not told, so all of it counts as the reader's. undefined where nothing is said.
 */
export function getMatchMessages(
  { artifact, context_signals: signals = {} }: ContextMatchRequest,
  categories: Categories,
): Message[] | undefined {
  const texts = (artifact?.assets ?? []).map(plainText);
  const edition = getTaxonomyEdition(signals);
  const { topics = [], summary, keywords } = signals;
  const stated = edition === undefined ? [] : topics.map((id) => ({ id, cattax: edition }));
  const names = edition === undefined ? topics.map(asWords) : categories.namesOf(stated);
  const said = buildContext([summary, keywords?.join(', ')], names, texts.some(Boolean) ? [] : stated, categories);
  const messages = [...texts.map((content) => ({ content })), said].filter(({ content }) => content !== '');
  return messages.length > 0 ? messages.map((one) => ({ role: 'user', ...one })) : undefined;
}

/** A topic of the publisher's own: `cooking.pasta`. */
const asWords = (topic: string): string => topic.replaceAll(/[._>/-]+/g, ' ');

/** The text of an asset; empty where it has none that is read. */
function plainText({
  type,
  content = '',
  content_format,
}: NonNullable<ContextMatchRequest['artifact']>['assets'][number]) {
  if (type !== 'text' || content_format === 'application/json') return '';
  return (content_format === 'text/html' ? withoutMarkup(content) : content).slice(-MOST_CHARACTERS);
}

/** What a reader sees of HTML: no tags, and nothing of comments, scripts and styles. */
const withoutMarkup = (html: string): string =>
  html.replaceAll(/<!--.*?(?:-->|$)|<(script|style)\b[^<>]*>.*?(?:<\/\1\s*>|$)/gis, ' ').replaceAll(/<[^<>]*>/g, ' ');

/** The edition of the IAB's taxonomy that topics are ids of, as AdCOM numbers it; undefined for words of the publisher's own. */
export const getTaxonomyEdition = ({
  taxonomy_source = 'iab',
  taxonomy_id = CONTENT_3_0,
}: Signals): number | undefined => (taxonomy_source.toLowerCase() === 'iab' ? taxonomy_id : undefined);
