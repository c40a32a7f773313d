import type { DetectedLanguage } from '../language/detector.ts';
import { type Lexicon, WANT } from '../lexicon/lexicon.ts';
import { findPhrases, type PhraseHit } from '../lexicon/phrases.ts';
import type { WordCache } from '../lexicon/word-cache.ts';
import type { ArrayPool } from './array-pool.ts';
import { withoutHiddenProducts } from './hidden-products.ts';
import { sortByTopic } from './hit-order.ts';
import { languageOf } from './language-of.ts';
import { type Message, type Tokens, tokenize } from './tokens.ts';

/** A conversation cut into words, with the phrases of the lexicon found in it; what further steps read and where they put arrays. */
export interface ParsedConversation {
  messages: readonly Message[];
  language: DetectedLanguage;
  tokens: Tokens;
  /** In order of topic, then of last token. */
  hits: readonly PhraseHit[];
  /** By token, 1 when the user said it. */
  isUser: Uint8Array;
  lexicon: Lexicon;
  wordCache: WordCache;
  pool: ArrayPool;
}

export function parse(
  messages: readonly Message[],
  lexicon: Lexicon,
  wordCache: WordCache,
  pool: ArrayPool,
): ParsedConversation {
  const language = languageOf(messages, lexicon);
  const tokens = tokenize(messages, wordCache, lexicon.wordRules.of(language), pool);
  const found = withoutHiddenProducts(findPhrases(tokens, lexicon), tokens, lexicon, pool);
  const hits = sortByTopic(withStated(found, messages, tokens, lexicon), lexicon.topics.length, pool);
  const isUser = pool.uint8(tokens.length);
  for (let token = 0; token < isUser.length; token++)
    isUser[token] = messages[tokens.message(token)]?.role === 'user' ? 1 : 0;
  return { messages, language, tokens, hits, isUser, lexicon, wordCache, pool };
}

/**
 * Where a message stands for topics it is all of it a need for each, since they are told for ads to fit; its words are mere names, and say
 * nothing else but what is sensitive.
 */
function withStated(
  found: PhraseHit[],
  messages: readonly Message[],
  { messages: messageOf }: Tokens,
  { isSensitive }: Lexicon,
): PhraseHit[] {
  if (!messages.some(({ topics }) => topics)) return found;
  const stated = messages.flatMap(({ topics = [] }, message) => {
    const [from, to] = [messageOf.indexOf(message), messageOf.lastIndexOf(message)];
    return topics.map((topic) => ({ topic, kind: WANT, weight: 1, from, to, hasGaps: false }));
  });
  return [...found.filter(({ topic, from }) => isSensitive[topic] || !messages[messageOf[from]!]!.topics), ...stated];
}
