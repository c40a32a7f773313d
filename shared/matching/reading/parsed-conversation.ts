import { type DetectedLanguage, MAX_DETECTION_LENGTH } from '../language/detector.ts';
import { type Lexicon, WANT } from '../lexicon/lexicon.ts';
import { findPhrases, type PhraseHit } from '../lexicon/phrases.ts';
import type { WordCache } from '../lexicon/word-cache.ts';
import type { ArrayPool } from './arrays.ts';
import { type Message, type Tokens, tokenize } from './tokens.ts';

/**
 * A conversation split into words, with the phrases of the lexicon found in it. It also carries what later steps need:
 * the lexicon, the cache, and the pool.
 */
export interface ParsedConversation {
  messages: readonly Message[];
  language: DetectedLanguage;
  tokens: Tokens;
  /** By topic, then by last token. */
  hits: readonly PhraseHit[];
  /** By token, 1 if the user said it. */
  isUser: Uint8Array;
  lexicon: Lexicon;
  wordCache: WordCache;
  pool: ArrayPool;
}

export function parseConversation(
  messages: readonly Message[],
  lexicon: Lexicon,
  wordCache: WordCache,
  pool: ArrayPool,
): ParsedConversation {
  const language = detectUserLanguage(messages, lexicon);
  const tokens = tokenize(messages, wordCache, lexicon.wordRules.get(language), pool);
  const found = dropHiddenProducts(findPhrases(tokens, lexicon), tokens, lexicon, pool);
  const hits = sortByTopic(addStatedTopics(found, messages, tokens, lexicon), lexicon.topics.length, pool);
  const isUser = pool.uint8(tokens.length);
  for (let token = 0; token < isUser.length; token++)
    isUser[token] = messages[tokens.message(token)]?.role === 'user' ? 1 : 0;
  return { messages, language, tokens, hits, isUser, lexicon, wordCache, pool };
}

/**
 * Adds the topics that a message states. Each counts as a need that covers the whole message, because publishers state
 * them to get matching ads. The words of such a message are only names: its own hits are dropped, unless they are
 * sensitive.
 */
function addStatedTopics(
  found: PhraseHit[],
  messages: readonly Message[],
  { messages: messageByToken }: Tokens,
  { isSensitive }: Lexicon,
): PhraseHit[] {
  if (!messages.some(({ topics }) => topics)) return found;
  const statedHits = messages.flatMap(({ topics = [] }, message) => {
    const [from, to] = [messageByToken.indexOf(message), messageByToken.lastIndexOf(message)];
    return topics.map((topic) => ({ topic, kind: WANT, weight: 1, from, to, hasGaps: false }));
  });
  return [
    ...found.filter(({ topic, from }) => isSensitive[topic] || !messages[messageByToken[from]!]!.topics),
    ...statedHits,
  ];
}

/**
 * Drops products named inside a longer phrase that is not a product: "vacation days", "is it going to rain", "what pets
 * do you have".
 */
function dropHiddenProducts(hits: PhraseHit[], tokens: Tokens, lexicon: Lexicon, pool: ArrayPool): PhraseHit[] {
  /** Per token, the last token of the longest such phrase that begins before it, and of the longest that begins at it. */
  const endOfEarlier = pool.int32(tokens.length).fill(-1);
  const endOfOwn = pool.int32(tokens.length).fill(-1);
  for (const { topic, from, to, hasGaps } of hits) {
    if (!lexicon.hidesProducts[topic] || (hasGaps && lexicon.isIntent[topic])) continue;
    endOfOwn[from] = Math.max(endOfOwn[from] ?? -1, to);
    for (let token = from + 1; token <= to; token++) endOfEarlier[token] = Math.max(endOfEarlier[token] ?? -1, to);
  }
  const isHidden = ({ from, to }: PhraseHit) => (endOfEarlier[from] ?? -1) >= to || (endOfOwn[from] ?? -1) >= to;
  return hits.filter((hit) => lexicon.isInternal[hit.topic] || !isHidden(hit));
}

/**
 * Sorts hits by topic, then by last token: a counting sort by topic, and insertion within a topic. Hits arrive by first
 * token, nearly in the right order, which makes insertion take a step or two.
 */
function sortByTopic(hits: readonly PhraseHit[], topics: number, pool: ArrayPool): PhraseHit[] {
  const first = pool.int32(topics + 1);
  for (const { topic } of hits) first[topic + 1] = (first[topic + 1] ?? 0) + 1;
  for (let topic = 0; topic < topics; topic++) first[topic + 1] = (first[topic + 1] ?? 0) + (first[topic] ?? 0);
  const next = pool.int32(topics);
  next.set(first.subarray(0, topics));
  const ordered = hits.slice();
  for (const hit of hits) {
    const start = first[hit.topic] ?? 0;
    let index = next[hit.topic] ?? 0;
    next[hit.topic] = index + 1;
    for (; index > start && ordered[index - 1]!.to > hit.to; index--) ordered[index] = ordered[index - 1]!;
    ordered[index] = hit;
  }
  return ordered;
}

/**
 * The language in which the user writes. The newest message is read first. Names of categories are skipped, because
 * they are English on any page.
 */
function detectUserLanguage(messages: readonly Message[], { languageDetector }: Lexicon): DetectedLanguage {
  let text = '';
  for (let i = messages.length - 1; i >= 0 && text.length < MAX_DETECTION_LENGTH; i--) {
    const { role, content, topics } = messages[i]!;
    if (role === 'user' && !topics) text += `${content.slice(0, MAX_DETECTION_LENGTH)}\n`;
  }
  return languageDetector.detect(text);
}
