import {
  ArrayPool,
  type ConversationReading,
  type Lexicon,
  type MatchingProfile,
  type Message,
  NAMES,
  readConversation,
  WordCache,
} from '../matching/index.ts';

/** What users of the sample say, word by word, and the lexicon knows. */
export interface SaidPhrase {
  text: string;
  /** Its main topic; undefined where the lexicon knows none. */
  topic: number | undefined;
}

/** "Two dogs" is no keyword, nor "gift for". */
const LEAST_RARITY_OF_ENDS = 0.1;
/** Nor is what is done: "can I deduct", "kitchen renovated". */
const BEFORE_VERBS: ReadonlySet<string> = new Set('i you we they he she it to can should would will'.split(' '));
const PARTICIPLE = /\w{4}ed$/;

/** Every phrase of these conversations that could be a keyword, as it is first said. @param profileOf of a campaign of one keyword */
export function saidPhrases(
  conversations: readonly Message[][],
  lexicon: Lexicon,
  profileOf: (keyword: string) => MatchingProfile,
): SaidPhrase[] {
  const phrases = new Map<string, SaidPhrase>();
  const [wordCache, pool] = [new WordCache(lexicon), new ArrayPool()];
  for (const conversation of conversations) {
    const reading = readConversation(conversation, lexicon, wordCache, pool);
    for (const text of phrasesOf(reading)) {
      const profile = profileOf(text);
      // "Gym" and "gyms" are the same keyword.
      if (!phrases.has(profile.k)) phrases.set(profile.k, { text, topic: profile.t[0] });
    }
    pool.reset();
  }
  return [...phrases.values()];
}

/** The products that a user names. */
function phrasesOf({ messages, tokens, hits, isUser, lexicon }: ConversationReading): Set<string> {
  const found = new Set<string>();
  for (const { topic, kind, from, to, hasGaps } of hits) {
    if (kind !== NAMES || !isUser[from] || hasGaps || lexicon.isInternal[topic]) continue;
    const [before, first, last] = [tokens.words[from - 1], tokens.word(from), tokens.word(to)];
    const isDone = PARTICIPLE.test(last.text) || (from === to && BEFORE_VERBS.has(before?.text ?? ''));
    if (isDone || Math.min(first.rarity, last.rarity) < LEAST_RARITY_OF_ENDS) continue;
    const said = tokens.words.slice(from, to + 1);
    const text = said.map((word) => word.text).join(' ');
    // Words that are passed over part others: "fit my roof" does not say "fit roof".
    if (messages[tokens.message(from)]?.content.toLowerCase().includes(text)) found.add(text);
  }
  return found;
}

/** Longer phrases of a keyword, "gaming pc" of "gaming": those that are of its topics too, as a light tent is none of a camper's. */
export const longerPhrases = (keyword: string, { t }: MatchingProfile, phrases: readonly SaidPhrase[]): string[] => {
  const text = ` ${keyword.toLowerCase()} `;
  const isOfItsTopics = ({ topic }: SaidPhrase) => t.length === 0 || t.some((one, i) => i % 2 === 0 && one === topic);
  return phrases
    .filter((phrase) => phrase.text !== text.trim() && ` ${phrase.text} `.includes(text) && isOfItsTopics(phrase))
    .map((phrase) => phrase.text);
};
