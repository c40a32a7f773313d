import type { Message } from '../../matching/index.ts';
import { isSensitiveTopic } from '../../platform/values/sensitive-topics.ts';
import type { Categories, CategoryId } from './categories.ts';
import type { ExchangeBidRequest, Imp } from './openrtb-schema.ts';
import { isContentTaxonomy } from './taxonomy.ts';

/** Maximum number of characters used: of all texts together, the keywords, the title, and each segment name. */
const MAX_CHARACTERS = 8_192;
const MAX_KEYWORD_CHARACTERS = 4_096;
const MAX_TITLE_CHARACTERS = 1_024;
const MAX_NAME_CHARACTERS = 512;
const MAX_KEYWORDS = 100;
const MAX_SEGMENTS = 100;

/** The conversation of an impression, or else that of the request. */
export function getConversation(request: ExchangeBidRequest, imp: Imp) {
  const [own, whole] = [imp.ext?.conversation, request.ext?.conversation];
  const isOtherConversation = own?.id != null && own.id !== whole?.id;
  return {
    id: own?.id ?? whole?.id,
    turn: own?.turn ?? (isOtherConversation ? undefined : whole?.turn),
    messages: (own?.messages?.length ? own.messages : whole?.messages) ?? [],
  };
}

/**
 * Creates a function that returns the messages to match for an impression: the page, then the conversation. The function returns undefined
 * if there is neither.
 */
export function createContextReader(
  request: ExchangeBidRequest,
  categories: Categories,
): (imp: Imp) => Message[] | undefined {
  let page: PageContext | undefined;
  return (imp) => {
    page ??= readContent(request, categories);
    const { content, topics } = page;
    const { messages: conversation } = getConversation(request, imp);
    if (conversation.length === 0) return content ? [{ role: 'user', content, topics }] : undefined;
    return content ? [{ role: 'assistant', content }, ...conversation] : conversation;
  };
}

/** What a request says about a page: a text, plus topics if the text consists only of category names. */
type PageContext = Pick<Message, 'content' | 'topics'>;

/** Reads title, keywords, and categories of the content. */
function readContent({ site, app }: ExchangeBidRequest, categories: Categories): PageContext {
  const content = site?.content ?? app?.content;
  if (!content) return { content: '' };
  const { title, keywords, kwarray, cat, cattax, data } = content;
  const segments = (data ?? []).flatMap(({ ext, segment }) => {
    const segtax = ext?.segtax ?? 0; // `segtax` uses the same numbers as `cattax`
    return isContentTaxonomy(segtax) ? (segment ?? []).map((one) => ({ ...one, segtax })) : [];
  });
  const usedSegments = segments.slice(0, MAX_SEGMENTS);
  const named = usedSegments.flatMap(
    ({ id, name, segtax }) =>
      name?.slice(0, MAX_NAME_CHARACTERS) || categories.namesOf(id ? [{ id, cattax: segtax }] : []),
  );
  const ofPage = (cat ?? []).map((id) => ({ id, cattax: cattax ?? 1 }));
  const ofSegments = usedSegments.flatMap(({ id, segtax }) => (id ? [{ id, cattax: segtax }] : []));
  const words = [
    title?.slice(0, MAX_TITLE_CHARACTERS),
    keywords?.slice(0, MAX_KEYWORD_CHARACTERS).replaceAll(',', ', '),
    kwarray?.slice(0, MAX_KEYWORDS).join(', '),
  ];
  return buildContext(words, [...categories.namesOf(ofPage), ...named], [...ofPage, ...ofSegments], categories);
}

/** Builds a context from words and category names. Without words, it includes the topics of the categories. */
export function buildContext(
  words: readonly (string | null | undefined)[],
  names: readonly string[],
  ids: readonly CategoryId[],
  categories: Categories,
): PageContext {
  const content = joinSentences([...words, [...new Set(names)].join(', ')]);
  return { content, ...(joinSentences(words) === '' && { topics: categories.topicsOf(ids) }) };
}

/** Whether the site, page, or content has a sensitive category of a content taxonomy. Such places get no ads. */
export const isSensitivePlace = ({ site, app }: ExchangeBidRequest): boolean =>
  [site, app].some((place) => place && getCategoryIds(place).some(isSensitiveTopic));

/** All category IDs of a place and its content. */
function getCategoryIds({ content, ...place }: NonNullable<ExchangeBidRequest['site']>): string[] {
  const stated = [
    { ids: [...(place.cat ?? []), ...(place.sectioncat ?? []), ...(place.pagecat ?? [])], taxonomy: place.cattax ?? 1 },
    { ids: content?.cat ?? [], taxonomy: content?.cattax ?? 1 },
    ...(content?.data ?? []).map(({ ext, segment }) => ({
      ids: (segment ?? []).flatMap(({ id }) => id ?? []),
      taxonomy: ext?.segtax ?? 0,
    })),
  ];
  return stated.flatMap(({ ids, taxonomy }) => (isContentTaxonomy(taxonomy) ? ids : []));
}

const joinSentences = (parts: readonly (string | null | undefined)[]): string =>
  parts
    .map((part) => part?.trim())
    .filter(Boolean)
    .join('. ')
    .slice(0, MAX_CHARACTERS);
