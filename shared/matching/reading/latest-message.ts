import { isNonEnglish } from '../language/detector.ts';
import { WANT } from '../lexicon/lexicon.ts';
import { hasCode } from '../text/code.ts';
import { MESSAGE_KINDS, readMessageKind } from '../text/message-kind.ts';
import { raise } from './arrays.ts';
import { getPhraseStrength } from './evidence.ts';
import { detectIntent, type MessageIntent, NO_INTENT } from './intent.ts';
import type { ParsedConversation } from './parsed-conversation.ts';

/** Weight of a phrase for the ancestors of its topic. */
const PARENT_TOPIC_WEIGHT = 0.5;

/** The user's latest message by itself: earlier wishes may be over. */
export interface LatestMessage {
  /** Its index, or -1 if the user said nothing. */
  message: number;
  text: string;
  /** By topic, how strongly the message names it, from 0 to 1. */
  topics: Float32Array;
  /** Total rarity of the words in product-topic phrases, and of all other words. */
  explained: number;
  unexplained: number;
  intent: MessageIntent;
  /**
   * The probabilities that it wishes for something a company could sell, and that it tells or asks for a story. 0 for a page, and in languages other
   * than English, of which the classifier has read too little.
   */
  wish: number;
  story: number;
}

export function readLatestMessage({
  messages,
  hits,
  tokens,
  language,
  lexicon,
  pool,
}: ParsedConversation): LatestMessage {
  const message = messages.findLastIndex(({ role }) => role === 'user');
  const topics = pool.float32(lexicon.topics.length);
  const isExplained = pool.uint8(tokens.length);
  let saysNeed = false;
  for (const hit of hits) {
    const { topic, from, to, kind } = hit;
    if (tokens.message(from) !== message) continue;
    const strength = Math.min(1, getPhraseStrength(hit));
    raise(topics, topic, strength);
    if (lexicon.isInternal[topic]) continue;
    if (kind === WANT) saysNeed = true;
    for (const ancestor of lexicon.ancestors[topic] ?? []) raise(topics, ancestor, PARENT_TOPIC_WEIGHT * strength);
    isExplained.fill(1, from, to + 1);
  }
  const text = messages[message]?.content ?? '';
  // Words in code do not name products.
  const intent = hasCode(text) ? NO_INTENT : detectIntent(text, language, saysNeed, lexicon.intentWords);
  const isPage = messages[message]?.topics !== undefined;
  const kinds = isPage || isNonEnglish(language) ? undefined : readMessageKind(text, lexicon.kindClassifier);
  const wish = kinds?.[MESSAGE_KINDS.indexOf('wish')] ?? 0;
  const story = kinds?.[MESSAGE_KINDS.indexOf('story')] ?? 0;
  const latest = { message, text, topics, explained: 0, unexplained: 0, intent, wish, story };
  for (let token = tokens.length - 1; token >= 0; token--) {
    if (tokens.message(token) !== message) continue;
    if (isExplained[token]) latest.explained += tokens.word(token).rarity;
    else latest.unexplained += tokens.word(token).rarity;
  }
  return latest;
}
