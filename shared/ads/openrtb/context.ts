import type { Message } from '../../matching/index.ts';
import { isSensitiveTopic } from '../../platform/values/sensitive-topics.ts';
import type { Categories, CategoryId } from './categories.ts';
import type { ExchangeBidRequest, Imp } from './openrtb-schema.ts';
import { isContentTaxonomy } from './taxonomy.ts';

/** Characters of a content's texts together, of its keywords, its title and the name of a segment. */
const MOST_CHARACTERS = 8_192;
const MOST_OF_KEYWORDS = 4_096;
const MOST_OF_TITLE = 1_024;
const MOST_OF_NAME = 512;
const MOST_KEYWORDS = 100;
const MOST_SEGMENTS = 100;

/** The conversation that an impression is for: what it says of its own, else what the request says. */
export function getConversation(request: ExchangeBidRequest, imp: Imp) {
  const [own, whole] = [imp.ext?.conversation, request.ext?.conversation];
  const isOther = own?.id != null && own.id !== whole?.id;
  return {
    id: own?.id ?? whole?.id,
    turn: own?.turn ?? (isOther ? undefined : whole?.turn),
    messages: (own?.messages?.length ? own.messages : whole?.messages) ?? [],
  };
}

/**
 * What impressions of a request are offered with: each its own conversation or that of the request, before it what is said of the page, which is
 * the only context where there is no conversation. undefined where there is neither.
 */
export function createContextReader(
  request: ExchangeBidRequest,
  categories: Categories,
): (imp: Imp) => Message[] | undefined {
  let page: StatedContext | undefined;
  return (imp) => {
    page ??= contentOf(request, categories);
    const { content, topics } = page;
    const { messages: conversation } = getConversation(request, imp);
    if (conversation.length === 0) return content ? [{ role: 'user', content, topics }] : undefined;
    return content ? [{ role: 'assistant', content }, ...conversation] : conversation;
  };
}

/** What is said of a page: a text, and where that has nothing but names of categories their topics. */
type StatedContext = Pick<Message, 'content' | 'topics'>;

/** Title, keywords and categories of the content. */
function contentOf({ site, app }: ExchangeBidRequest, categories: Categories): StatedContext {
  const content = site?.content ?? app?.content;
  if (!content) return { content: '' };
  const { title, keywords, kwarray, cat, cattax, data } = content;
  const segments = (data ?? []).flatMap(({ ext, segment }) => {
    const segtax = ext?.segtax ?? 0; // the same numbers as in `cattax`
    return isContentTaxonomy(segtax) ? (segment ?? []).map((one) => ({ ...one, segtax })) : [];
  });
  const read = segments.slice(0, MOST_SEGMENTS);
  const named = read.flatMap(
    ({ id, name, segtax }) => name?.slice(0, MOST_OF_NAME) || categories.namesOf(id ? [{ id, cattax: segtax }] : []),
  );
  const ofPage = (cat ?? []).map((id) => ({ id, cattax: cattax ?? 1 }));
  const ofSegments = read.flatMap(({ id, segtax }) => (id ? [{ id, cattax: segtax }] : []));
  const words = [
    title?.slice(0, MOST_OF_TITLE),
    keywords?.slice(0, MOST_OF_KEYWORDS).replaceAll(',', ', '),
    kwarray?.slice(0, MOST_KEYWORDS).join(', '),
  ];
  return buildContext(words, [...categories.namesOf(ofPage), ...named], [...ofPage, ...ofSegments], categories);
}

/** What is said in words and by names of categories; where there are no words, with the topics of the categories. */
export function buildContext(
  words: readonly (string | null | undefined)[],
  names: readonly string[],
  stated: readonly CategoryId[],
  categories: Categories,
): StatedContext {
  const content = sentencesOf([...words, [...new Set(names)].join(', ')]);
  return { content, ...(sentencesOf(words) === '' && { topics: categories.topicsOf(stated) }) };
}

/** Whether a publisher says, in a taxonomy of content, that the site, the page or what is on it is no place for an ad. */
export const isSensitivePlace = ({ site, app }: ExchangeBidRequest): boolean =>
  [site, app].some((place) => place && topicsOf(place).some(isSensitiveTopic));

/** The ids of all that is said of a place and of its content. */
function topicsOf({ content, ...place }: NonNullable<ExchangeBidRequest['site']>): string[] {
  const said = [
    { ids: [...(place.cat ?? []), ...(place.sectioncat ?? []), ...(place.pagecat ?? [])], taxonomy: place.cattax ?? 1 },
    { ids: content?.cat ?? [], taxonomy: content?.cattax ?? 1 },
    ...(content?.data ?? []).map(({ ext, segment }) => ({
      ids: (segment ?? []).flatMap(({ id }) => id ?? []),
      taxonomy: ext?.segtax ?? 0,
    })),
  ];
  return said.flatMap(({ ids, taxonomy }) => (isContentTaxonomy(taxonomy) ? ids : []));
}

/** What there is of some texts as one. */
const sentencesOf = (parts: readonly (string | null | undefined)[]): string =>
  parts
    .map((part) => part?.trim())
    .filter(Boolean)
    .join('. ')
    .slice(0, MOST_CHARACTERS);
