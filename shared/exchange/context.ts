import type { Message } from '../matching/index.ts';
import type { Categories } from './categories.ts';
import type { ExchangeBidRequest, Imp } from './schema.ts';

/** Taxonomies of content, by their number in `segtax`; the same as in `cattax`. */
const CONTENT_TAXONOMIES: readonly number[] = [1, 2, 5, 6, 7, 9];
const MOST_CHARACTERS = 8_192;

/**
 * What an impression is offered with: its own conversation or that of the request, before it what is said of the page, which is the only context
 * where there is no conversation. undefined where there is neither.
 */
export function contextOf(request: ExchangeBidRequest, imp: Imp, categories: Categories): Message[] | undefined {
  const conversation = (imp.ext?.conversation ?? request.ext?.conversation)?.messages;
  const content = contentText(request, categories);
  if (!conversation) return content ? [{ role: 'user', content }] : undefined;
  return content ? [{ role: 'assistant', content }, ...conversation] : conversation;
}

/** Title, keywords and categories of the content as a text. */
function contentText({ site, app }: ExchangeBidRequest, categories: Categories): string {
  const content = site?.content ?? app?.content;
  if (!content) return '';
  const { title, keywords, kwarray, cat, cattax, data } = content;
  const named = (data ?? []).flatMap(({ ext, segment }) => {
    const segtax = ext?.segtax ?? 0;
    if (!CONTENT_TAXONOMIES.includes(segtax)) return [];
    return (segment ?? []).flatMap(({ id, name }) => (name ? [name] : categories.namesOf(id ? [id] : [], segtax)));
  });
  const parts = [
    title ?? '',
    (keywords ?? '').replaceAll(',', ', '),
    (kwarray ?? []).join(', '),
    [...new Set([...categories.namesOf(cat ?? [], cattax ?? 1), ...named])].join(', '),
  ];
  return parts
    .map((part) => part.trim())
    .filter(Boolean)
    .join('. ')
    .slice(0, MOST_CHARACTERS);
}
