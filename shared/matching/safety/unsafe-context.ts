import { SENTENCE_GAP } from '../text/token-scanner.ts';
import { findHarms, MAX_SENTENCE_WORDS, markEnds, matchRule, type SafetyTools } from './find-harms.ts';
import { type ClassedWord, type Grammar, HARMLESS, type Harm, type RuleStep, type SafetyWord } from './grammar.ts';
import { RuleCandidates } from './rule-candidates.ts';

/** Ages, and harms that are unsafe only if one of these ages also appears in the conversation. */
const AGES: ReadonlySet<Harm> = new Set(['minor', 'adult-minor']);
const AGES_BY_RESTRICTED_HARM = new Map<Harm, readonly Harm[]>([
  ['restricted', ['minor']],
  ['alcohol', ['minor', 'adult-minor']],
]);

/** The words of a conversation, without its stop words, with their positions. */
interface ConversationWords {
  length: number;
  word(index: number): { safety: SafetyWord; isSafetyAnchor: boolean; safetyClasses: number };
  /** Words of two sentences are SENTENCE_GAP or more apart. */
  position(word: number): number;
  message(word: number): number;
  /** By message, the flags of its stop words. */
  stopWordFlags: Int32Array;
}

/**
 * The unsafe context in a conversation's messages, or undefined. Only messages that may match a rule are read again
 * with capitals and stop words.
 *
 * @param counts whether a rule's harm counts in a message
 */
export function detectUnsafeContext(
  contents: readonly string[],
  words: ConversationWords,
  tools: SafetyTools,
  counts: (harm: Harm, message: number) => boolean = () => true,
): Harm | undefined {
  const possible = findPossibleHarms(contents, words, tools);
  if (possible.size === 0) return undefined;
  const found = new Set<Harm>();
  for (const message of selectMessages(possible))
    for (const harm of findHarms(contents[message]!, tools)) {
      if (!counts(harm, message)) continue;
      if (!countsOnlyTogether(harm)) return harm;
      found.add(harm);
    }
  return isForbiddenToMinors(found) ? 'minors' : undefined;
}

const countsOnlyTogether = (harm: Harm): boolean => AGES.has(harm) || AGES_BY_RESTRICTED_HARM.has(harm);

/** For a message that is read again regardless of ages. */
const ANY: ReadonlySet<Harm> = new Set(['any harm', ...AGES, ...AGES_BY_RESTRICTED_HARM.keys()]);

const isForbiddenToMinors = (harms: ReadonlySet<Harm>): boolean =>
  [...harms].some((harm) => AGES_BY_RESTRICTED_HARM.get(harm)?.some((age) => harms.has(age)));

/** Ages and age-restricted harms count only together: "a bar" is not read again if no one is young. */
function selectMessages(possible: ReadonlyMap<number, ReadonlySet<Harm>>): number[] {
  const isTogether = isForbiddenToMinors(new Set([...possible.values()].flatMap((harms) => [...harms])));
  return [...possible]
    .filter(([, harms]) => isTogether || ![...harms].every(countsOnlyTogether))
    .map(([message]) => message);
}

/** By message, the harms whose rules seem to match one of its sentences. */
function findPossibleHarms(
  contents: readonly string[],
  words: ConversationWords,
  { grammar, pool }: SafetyTools,
): Map<number, ReadonlySet<Harm>> {
  const found = new Map<number, ReadonlySet<Harm>>();
  let candidates: RuleCandidates | undefined;
  let unseenWord: ClassedWord | undefined;
  for (let from = 0, to = 0, message = -1; from < words.length; from = to) {
    if (unseenWord === undefined || message !== words.message(from)) {
      message = words.message(from);
      unseenWord = getUnseenWord(contents[message]!, words.stopWordFlags[message]!, grammar);
    }
    const anchors: ClassedWord[] = [];
    do if (words.word(to).isSafetyAnchor) anchors.push(words.word(to).safety.asName);
    while (++to < words.length && words.position(to) - words.position(to - 1) < SENTENCE_GAP);
    if (unseenWord.markingRules.length + unseenWord.harmRules.length > 0) anchors.push(unseenWord);
    // Once a message must be read again, the rest of it need not be checked here.
    if (anchors.length === 0 || found.get(message) === ANY) continue;
    candidates ??= new RuleCandidates(grammar, pool);
    candidates.beginSentence();
    for (let word = from; word < to; word++) candidates.addClassList(words.word(word).safetyClasses);
    candidates.addClasses(unseenWord.groups);
    const harms = findHarmsInOrder({ words, from, to, unseen: unseenWord }, anchors, candidates);
    if (!harms.every(countsOnlyTogether)) found.set(message, ANY);
    else for (const harm of harms) found.set(message, new Set(found.get(message)).add(harm));
  }
  return found;
}

/** Words of a conversation, and a stand-in for the capitals and stop words that were left out. */
interface SentenceRange {
  words: ConversationWords;
  from: number;
  to: number;
  unseen: ClassedWord;
}

/** The harms whose rule words appear in order in a sentence. The order of words of the `unseen` classes is unknown and not checked. */
function findHarmsInOrder(
  range: SentenceRange,
  anchors: readonly ClassedWord[],
  candidates: RuleCandidates,
): readonly Harm[] {
  const found: Harm[] = [];
  const marked: number[] = [];
  const { from, to, unseen: unseenWord } = range;
  let sentence: ClassedWord[] | undefined;
  const isUnseen = ({ groups }: RuleStep) =>
    groups.some((group) => unseenWord.groups.includes(group) || marked.includes(group));
  candidates.visit(anchors, (rule) => {
    const { steps, marks, harm } = rule;
    // Harmless phrases are recognized when the message is read again.
    if (marks === HARMLESS) return false;
    const isOrderKnown = to - from < MAX_SENTENCE_WORDS && !steps.some(isUnseen);
    if (isOrderKnown) {
      sentence ??= getClassedWords(range);
      const ends = matchRule(rule, sentence);
      if (ends.length === 0) return false;
      if (marks >= 0) markEnds(sentence, ends, marks);
    } else if (marks >= 0) marked.push(marks);
    if (marks < 0) found.push(harm);
    return true;
  });
  return found;
}

function getClassedWords({ words, from, to, unseen: unseenWord }: SentenceRange): ClassedWord[] {
  const sentence: ClassedWord[] = [];
  for (let word = from; word < to; word++) sentence.push(words.word(word).safety.asName);
  sentence.push(unseenWord);
  return sentence;
}

/**
 * A word with a capital inside a sentence, except "I"; and one in the possessive, except "What's", "It's", and the
 * like. The search starts at capitals, because they are few.
 */
const HAS_NAME = /(?!I\b)[A-Z](?<=[^.!?\s](?:\s+["“(]*|[^\w\s.!?])[A-Z])/;
const HAS_OWNER = /\b(?!(?:It|That|What|Let|There|Here|He|She|Where|Who|How|When)\b)[A-Z]\w{0,30}['’]s\b/;

/** A stand-in for what splitting a message into words loses: capitals and stop words. */
function getUnseenWord(content: string, stopWordFlags: number, { names, stopWords }: Grammar): ClassedWord {
  const name = HAS_NAME.test(content) ? (HAS_OWNER.test(content) ? names.owning : names.some) : names.none;
  if (stopWordFlags === 0) return name;
  const groups = [...name.groups];
  for (const { flag, groups: classes } of stopWords.values()) if (stopWordFlags & flag) groups.push(...classes);
  return { ...name, groups };
}
