import type { Message } from '../matching/index.ts';
import { isSensitiveTopic } from '../values/sensitive-topics.ts';
import type { Categories } from './categories.ts';
import type { ExchangeBidRequest, Imp } from './schema.ts';

/** Taxonomies of content, by their number in `segtax`; the same as in `cattax`. */
const CONTENT_TAXONOMIES: readonly number[] = [1, 2, 5, 6, 7, 9];
const isOfContent = (taxonomy: number): boolean => CONTENT_TAXONOMIES.includes(taxonomy);
/** Characters of a content's texts together, and of its keywords. */
const MOST_CHARACTERS = 8_192;
const MOST_OF_KEYWORDS = 4_096;
const MOST_KEYWORDS = 100;
const MOST_SEGMENTS = 100;

/** The conversation that an impression is for: what it says of its own, else what the request says. */
export function impressionConversation(request: ExchangeBidRequest, imp: Imp) {
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
export function contextOf(request: ExchangeBidRequest, categories: Categories): (imp: Imp) => Message[] | undefined {
  let content: string | undefined;
  return (imp) => {
    content ??= contentText(request, categories);
    const { messages: conversation } = impressionConversation(request, imp);
    if (conversation.length === 0) return content ? [{ role: 'user', content }] : undefined;
    return content ? [{ role: 'assistant', content }, ...conversation] : conversation;
  };
}

/** Title, keywords and categories of the content as a text. */
function contentText({ site, app }: ExchangeBidRequest, categories: Categories): string {
  const content = site?.content ?? app?.content;
  if (!content) return '';
  const { title, keywords, kwarray, cat, cattax, data } = content;
  const segments = (data ?? []).flatMap(({ ext, segment }) => {
    const segtax = ext?.segtax ?? 0;
    return isOfContent(segtax) ? (segment ?? []).map((one) => ({ ...one, segtax })) : [];
  });
  const named = segments
    .slice(0, MOST_SEGMENTS)
    .flatMap(({ id, name, segtax }) => (name ? [name] : categories.namesOf(id ? [id] : [], segtax)));
  return sentencesOf([
    title,
    keywords?.slice(0, MOST_OF_KEYWORDS).replaceAll(',', ', '),
    kwarray?.slice(0, MOST_KEYWORDS).join(', '),
    [...new Set([...categories.namesOf(cat ?? [], cattax ?? 1), ...named])].join(', '),
  ]);
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
  return said.flatMap(({ ids, taxonomy }) => (isOfContent(taxonomy) ? ids : []));
}

/** What there is of some texts as one. */
export const sentencesOf = (parts: readonly (string | null | undefined)[]): string =>
  parts
    .map((part) => part?.trim())
    .filter(Boolean)
    .join('. ')
    .slice(0, MOST_CHARACTERS);
