import type { Message } from '../../matching/index.ts';
import type { Categories } from '../openrtb/categories.ts';
import { buildContext } from '../openrtb/context.ts';
import type { ContextMatchRequest } from './context-schema.ts';

type Signals = NonNullable<ContextMatchRequest['context_signals']>;

/** The Content Taxonomy 3.0. */
const CONTENT_3_0 = 7;
/** Maximum characters of a text; matching reads no more of a conversation. */
const MAX_CHARACTERS = 65_536;

/**
 * The messages to match: the texts of the artifact in order, then the publisher's classification of the current moment. An artifact does not
 * say who speaks, so all texts count as the user's. Undefined if there is no text.
 */
export function getMatchMessages(
  { artifact, context_signals: signals = {} }: ContextMatchRequest,
  categories: Categories,
): Message[] | undefined {
  const texts = (artifact?.assets ?? []).map(getText);
  const edition = getTaxonomyEdition(signals);
  const { topics = [], summary, keywords } = signals;
  const stated = edition === undefined ? [] : topics.map((id) => ({ id, cattax: edition }));
  const names = edition === undefined ? topics.map(asWords) : categories.namesOf(stated);
  const classification = buildContext(
    [summary, keywords?.join(', ')],
    names,
    texts.some(Boolean) ? [] : stated,
    categories,
  );
  const messages = [...texts.map((content) => ({ content })), classification].filter(({ content }) => content !== '');
  return messages.length > 0 ? messages.map((one) => ({ role: 'user', ...one })) : undefined;
}

/** Converts a topic of the publisher's own taxonomy, such as `cooking.pasta`, to words. */
const asWords = (topic: string): string => topic.replaceAll(/[._>/-]+/g, ' ');

/** The text of an asset; empty if its type or format is not used. */
function getText({
  type,
  content = '',
  content_format,
}: NonNullable<ContextMatchRequest['artifact']>['assets'][number]) {
  if (type !== 'text' || content_format === 'application/json') return '';
  return (content_format === 'text/html' ? withoutMarkup(content) : content).slice(-MAX_CHARACTERS);
}

/** The visible text of HTML: without tags, comments, scripts, and styles. */
const withoutMarkup = (html: string): string =>
  html.replaceAll(/<!--.*?(?:-->|$)|<(script|style)\b[^<>]*>.*?(?:<\/\1\s*>|$)/gis, ' ').replaceAll(/<[^<>]*>/g, ' ');

/** The edition of the IAB taxonomy (AdCOM number) of the topics; undefined if the taxonomy is the publisher's own. */
export const getTaxonomyEdition = ({
  taxonomy_source = 'iab',
  taxonomy_id = CONTENT_3_0,
}: Signals): number | undefined => (taxonomy_source.toLowerCase() === 'iab' ? taxonomy_id : undefined);
