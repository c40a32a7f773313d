import { NAMES, WANT } from '../lexicon/lexicon.ts';
import { readSafetyOdds, type SafetyOdds } from '../safety/classifier.ts';
import type { Harm } from '../safety/grammar.ts';
import { unsafeContext } from '../safety/unsafe.ts';
import { isForeign } from './language-of.ts';
import type { ParsedConversation } from './parsed.ts';
import type { Message } from './tokens.ts';

/**
 * How sure the classifier must be. `distress` and `unsafe`: of a user's message alone. `answered`: of a message in distress and its reply
 * together, since assistants answer distress unlike anything else. `idiom` and `vague`: of a message, so that a rule counts there that
 * also meets ordinary ones. The values follow from figures with writers left out: docs/matching.md.
 */
const LEAST = {
  distress: 0.5,
  unsafe: -0.75,
  /** In other languages, of which it learned less: rules alone tell what is unsafe there. */
  abroad: { distress: 1.2, unsafe: Number.POSITIVE_INFINITY },
  answered: -0.3,
  idiom: { distress: -0.6, unsafe: -2.75 },
  vague: { distress: -0.6, unsafe: -3.1 },
};

/** Rules for these harms also meet idioms ("these heels are torture"), games, and films. */
const IDIOMS: ReadonlySet<Harm> = new Set('violence harassment terrorism trafficking insult'.split(' '));
const IDIOM_TOPIC = '_Sensitive > Crisis';
/** Rules for these also meet questions about people and works in general. */
const VAGUE: ReadonlySet<Harm> = new Set('privacy crime hate deceit'.split(' '));

type Sensitive = Pick<
  ParsedConversation,
  'messages' | 'hits' | 'tokens' | 'lexicon' | 'wordCache' | 'pool' | 'language'
>;

/** Whether anything in the whole conversation makes it no place for an ad: distress or something unsafe, by the classifier or by a rule. */
export function isSensitiveConversation(conversation: Sensitive): boolean {
  const { messages, lexicon, language } = conversation;
  const odds = messages.map(({ content }) => readSafetyOdds(content, lexicon.safetyClassifier));
  const isAbroad = isForeign(language);
  const { distress, unsafe } = isAbroad ? LEAST.abroad : LEAST;
  const isUser = (at: number) => messages[at]!.role === 'user';
  if (odds.some((one, at) => isUser(at) && (one.distress > distress || one.unsafe > unsafe))) return true;
  if (!isAbroad && messages.some((_, at) => isUser(at) && isAnsweredAsDistress(messages, odds, at))) return true;
  const isDoubted = (message: number, least: Pick<SafetyOdds, 'distress' | 'unsafe'>) =>
    !isAbroad && odds[message]!.distress <= least.distress && odds[message]!.unsafe <= least.unsafe;
  const isIgnored = (harm: Harm, message: number) =>
    (IDIOMS.has(harm) && isDoubted(message, LEAST.idiom)) || (VAGUE.has(harm) && isDoubted(message, LEAST.vague));
  return (
    saysSensitivePhrase(conversation, (topic, at) => topic === IDIOM_TOPIC && isDoubted(at, LEAST.idiom)) ||
    unsafeContextOf(conversation, isIgnored) !== undefined
  );
}

/** Whether a message and the assistant's reply to it make distress together. */
const isAnsweredAsDistress = (messages: readonly Message[], odds: readonly SafetyOdds[], at: number): boolean =>
  messages[at + 1]?.role === 'assistant' && odds[at]!.distress + odds[at + 1]!.condolence > LEAST.answered;

/**
 * The unsafe context that the conversation's messages make together; undefined when they make none.
 * @param isIgnored whether a rule's harm does not count in a message
 */
export function unsafeContextOf(
  { messages, tokens, lexicon, wordCache, pool }: Omit<Sensitive, 'hits' | 'language'>,
  isIgnored: (harm: Harm, message: number) => boolean = () => false,
): string | undefined {
  return unsafeContext(
    messages.map(({ content }) => content),
    tokens,
    { grammar: lexicon.safety, lookUp: (word) => wordCache.safetyOf(word), pool },
    (harm, message) => !isIgnored(harm, message),
  );
}

/**
 * Said of oneself or outright is enough; a bare mention is not when its message speaks of a film, a book, the news or history; single
 * words count when there are two.
 */
function saysSensitivePhrase(
  { hits, tokens, lexicon }: Pick<ParsedConversation, 'hits' | 'tokens' | 'lexicon'>,
  isIgnored: (topic: string, message: number) => boolean,
): boolean {
  const fictional = new Set<number>();
  for (const { topic, from } of hits)
    if (topic === lexicon.internalTopics.fictionOrNews) fictional.add(tokens.message(from));
  const wordsOf = new Map<number, Set<string>>();
  for (const { topic, kind, from } of hits) {
    if (!lexicon.isSensitive[topic] || isIgnored(lexicon.topics[topic]!, tokens.message(from))) continue;
    if (kind === WANT) return true;
    if (fictional.has(tokens.message(from))) continue;
    if (kind === NAMES) return true;
    const words = wordsOf.get(topic) ?? new Set();
    wordsOf.set(topic, words.add(tokens.word(from).stem));
    if (words.size > 1) return true;
  }
  return false;
}
