import { isNonEnglish } from '../language/detector.ts';
import { type Lexicon, NAMES, WANT } from '../lexicon/lexicon.ts';
import { readSafetyScores, type SafetyScores } from '../safety/classifier.ts';
import type { Harm } from '../safety/grammar.ts';
import { detectUnsafeContext } from '../safety/unsafe-context.ts';
import { MESSAGE_KINDS, readMessageKind } from '../text/message-kind.ts';
import type { ParsedConversation } from './parsed-conversation.ts';
import type { Message } from './tokens.ts';

/**
 * Minimum scores of the classifier. Based on the figures in docs/matching.md: lower values withhold ads from more
 * ordinary conversations, higher ones let ads follow a crisis.
 */
const MIN_SCORES = {
  /**
   * For a user's message in distress, and for an unsafe one. People tell of their families, worries, and aches when they wish for something,
   * so a message that is surely a wish must be surer to be distress as well.
   */
  distress: 0,
  distressInWish: 0.3,
  /** For distress in languages other than English, where the classifier was trained on fewer ordinary messages. */
  distressAbroad: 0.3,
  unsafe: -0.15,
  /** For a message together with its reply: assistants answer distress in an unmistakable way. */
  answered: { condolence: 0.46, distress: -0.38 },
  /** Rules that also match idioms, or general questions, count only in a message above one of these scores. */
  idiom: { distress: -0.34, unsafe: -0.69 },
  vague: { distress: -0.49, unsafe: -1.11 },
  /** Added to `idiom` and `vague` for a message that is surely a wish. */
  doubtOfWish: { distress: 0.5, unsafe: 0.1 },
};

/** Longer messages are never surely a wish: their kind is read from both ends, and a crisis may be between them. */
const MAX_WISH_LENGTH = 800;
/** Minimum probability of a message that is surely a wish. */
const MIN_SURE_WISH = 0.8;

const NO_DOUBT = { distress: 0, unsafe: 0 };

/** Rules for these harms also match idioms ("these heels are torture"), games, and films. */
const IDIOM_HARMS: ReadonlySet<Harm> = new Set('violence harassment terrorism trafficking insult'.split(' '));
const IDIOM_TOPICS: ReadonlySet<string> = new Set(['_Sensitive > Crisis', '_Sensitive > Distress']);
/** Rules for these harms also match general questions about people and works. */
const VAGUE_HARMS: ReadonlySet<Harm> = new Set('privacy crime hate deceit hacking'.split(' '));

type SensitivityInput = Pick<
  ParsedConversation,
  'messages' | 'hits' | 'tokens' | 'lexicon' | 'wordCache' | 'pool' | 'language'
>;

/**
 * Whether anything in the conversation makes it unsuitable for ads: distress or an unsafe context, found by the
 * classifier, a phrase of the lexicon, or a rule.
 */
export function isSensitiveConversation(conversation: SensitivityInput): boolean {
  const { messages, lexicon, language } = conversation;
  const getScores = (text: string) => readSafetyScores(text, lexicon.safetyClassifier);
  const scores = messages.map(({ content, older = '' }) => getScores(older + content));
  const isOtherLanguage = isNonEnglish(language);
  // The classifier was trained on too few unsafe sentences in other languages; only the rules decide there.
  const unsafe = isOtherLanguage ? Number.POSITIVE_INFINITY : MIN_SCORES.unsafe;
  const sureWishes = new Map<string, boolean>();
  /** Whether a message is surely a wish; read at most once. */
  const isSureWish = (text: string): boolean => {
    const known =
      sureWishes.get(text) ?? (text.length <= MAX_WISH_LENGTH && getWishProbability(text, lexicon) > MIN_SURE_WISH);
    sureWishes.set(text, known);
    return known;
  };
  const isDistress = (text: string, score: number) =>
    isOtherLanguage
      ? score > MIN_SCORES.distressAbroad
      : score > MIN_SCORES.distress && (score > MIN_SCORES.distressInWish || !isSureWish(text));
  const isUser = (at: number) => isSaidByUser(messages[at]!);
  if (scores.some((one, at) => isUser(at) && (isDistress(messages[at]!.content, one.distress) || one.unsafe > unsafe)))
    return true;
  if (joinPieces(messages).some((text) => isDistress(text, getScores(text).distress))) return true;
  if (!isOtherLanguage && messages.some((_, at) => isUser(at) && isAnsweredAsDistress(messages, scores, at)))
    return true;
  const isDoubtful = (message: number, least: Pick<SafetyScores, 'distress' | 'unsafe'>) => {
    const { distress, unsafe } = scores[message]!;
    if (isOtherLanguage || !isSentence(messages[message]!)) return false;
    const doubt = isSureWish(messages[message]!.content) ? MIN_SCORES.doubtOfWish : NO_DOUBT;
    return distress <= least.distress + doubt.distress && unsafe <= least.unsafe + doubt.unsafe;
  };
  const isIgnored = (harm: Harm, message: number) =>
    (IDIOM_HARMS.has(harm) && isDoubtful(message, MIN_SCORES.idiom)) ||
    (VAGUE_HARMS.has(harm) && isDoubtful(message, MIN_SCORES.vague));
  return (
    hasSensitivePhrase(conversation, (topic, at) => IDIOM_TOPICS.has(topic) && isDoubtful(at, MIN_SCORES.idiom)) ||
    findUnsafeContext(conversation, isIgnored) !== undefined
  );
}

const getWishProbability = (text: string, { kindClassifier }: Lexicon): number =>
  readMessageKind(text, kindClassifier)[MESSAGE_KINDS.indexOf('wish')] ?? 0;

/** Names of categories are not statements; the lexicon knows which of them are sensitive. */
const isSaidByUser = ({ role, topics }: Message): boolean => role === 'user' && !topics;

/** Maximum length, in characters, of a message that may be part of a sentence. */
const MAX_PIECE_LENGTH = 40;

/** Joins adjacent short messages of the user, since some people send a sentence in pieces. */
function joinPieces(messages: readonly Message[]): string[] {
  const isPiece = (message: Message) => isSaidByUser(message) && message.content.length <= MAX_PIECE_LENGTH;
  const sentences: string[] = [];
  for (let from = 0, to = 0; from < messages.length; from = Math.max(to, from + 1)) {
    for (to = from; to < messages.length && isPiece(messages[to]!); ) to++;
    if (to - from > 1)
      sentences.push(
        messages
          .slice(from, to)
          .map(({ content }) => content)
          .join(' '),
      );
  }
  return sentences;
}

/** Names of categories and other short texts are not idioms. */
const isSentence = ({ content }: Message): boolean => content.trim().split(/\s+/, 4).length > 3;

/** Whether a message and the assistant's reply together show distress. */
const isAnsweredAsDistress = (messages: readonly Message[], scores: readonly SafetyScores[], at: number): boolean =>
  messages[at + 1]?.role === 'assistant' &&
  scores[at + 1]!.condolence > MIN_SCORES.answered.condolence &&
  scores[at]!.distress > MIN_SCORES.answered.distress;

/**
 * The unsafe context in the conversation's messages, or undefined.
 *
 * @param isIgnored whether a rule's harm does not count in a message
 */
export function findUnsafeContext(
  { messages, tokens, lexicon, wordCache, pool }: Omit<SensitivityInput, 'hits' | 'language'>,
  isIgnored: (harm: Harm, message: number) => boolean = () => false,
): string | undefined {
  return detectUnsafeContext(
    messages.map(({ content }) => content),
    tokens,
    { grammar: lexicon.safety, lookUp: (word) => wordCache.getSafetyWord(word), pool },
    (harm, message) => !isIgnored(harm, message),
  );
}

/**
 * Whether the lexicon finds a sensitive phrase. A need or an explicit mention is enough, except a mention in a message about a film, a book,
 * the news, or history. Single words count only if there are at least two.
 */
function hasSensitivePhrase(
  { hits, tokens, lexicon }: Pick<ParsedConversation, 'hits' | 'tokens' | 'lexicon'>,
  isIgnored: (topic: string, message: number) => boolean,
): boolean {
  const fictional = new Set<number>();
  for (const { topic, from } of hits)
    if (topic === lexicon.internalTopics.fictionOrNews) fictional.add(tokens.message(from));
  const wordsByTopic = new Map<number, Set<string>>();
  for (const { topic, kind, from } of hits) {
    if (!lexicon.isSensitive[topic] || isIgnored(lexicon.topics[topic]!, tokens.message(from))) continue;
    if (kind === WANT) return true;
    if (fictional.has(tokens.message(from))) continue;
    if (kind === NAMES) return true;
    const words = wordsByTopic.get(topic) ?? new Set();
    wordsByTopic.set(topic, words.add(tokens.word(from).stem));
    if (words.size > 1) return true;
  }
  return false;
}
