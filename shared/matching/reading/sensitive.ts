import { NAMES, WANT } from '../lexicon/lexicon.ts';
import { unsafeContext } from '../safety/unsafe.ts';
import type { ParsedConversation } from './parsed.ts';

/** Whether anything in the whole conversation makes it no place for an ad. */
export function isSensitiveConversation(
  conversation: Pick<ParsedConversation, 'messages' | 'hits' | 'tokens' | 'lexicon' | 'wordCache' | 'pool'>,
): boolean {
  return saysSensitivePhrase(conversation) || unsafeContextOf(conversation) !== undefined;
}

/** The unsafe context that the conversation's messages make together; undefined when they make none. */
export function unsafeContextOf({
  messages,
  tokens,
  lexicon,
  wordCache,
  pool,
}: Pick<ParsedConversation, 'messages' | 'tokens' | 'lexicon' | 'wordCache' | 'pool'>): string | undefined {
  return unsafeContext(
    messages.map(({ content }) => content),
    tokens,
    { grammar: lexicon.safety, lookUp: (word) => wordCache.findWord(word).safety, pool },
  );
}

/**
 * Said of oneself or outright is enough; a bare mention is not when its message speaks of a film, a book, the news or history; single
 * words count when there are two.
 */
function saysSensitivePhrase({
  hits,
  tokens,
  lexicon,
}: Pick<ParsedConversation, 'hits' | 'tokens' | 'lexicon'>): boolean {
  const fictional = new Set<number>();
  for (const { topic, from } of hits)
    if (topic === lexicon.internalTopics.fictionOrNews) fictional.add(tokens.message(from));
  const wordsOf = new Map<number, Set<string>>();
  for (const { topic, kind, from } of hits) {
    if (!lexicon.isSensitive[topic]) continue;
    if (kind === WANT) return true;
    if (fictional.has(tokens.message(from))) continue;
    if (kind === NAMES) return true;
    const words = wordsOf.get(topic) ?? new Set();
    wordsOf.set(topic, words.add(tokens.word(from).stem));
    if (words.size > 1) return true;
  }
  return false;
}
