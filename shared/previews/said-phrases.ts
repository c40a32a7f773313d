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

/** What a keyword is about. */
interface Sense {
  /** In small letters. */
  text: string;
  /** Its words as stems. */
  stems: readonly string[];
  /** Its topics with their affinities; those that are merely above another one of them aside. */
  topics: ReadonlyMap<number, number>;
  vector: ArrayLike<number>;
}

/** What users of the sample say, word by word, and the lexicon knows. */
interface SaidPhrase extends Sense {
  /** The conversations that say it, and what each is about. */
  conversations: Map<Message[], ArrayLike<number>>;
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
    const about = reading.vector.slice();
    for (const text of phrasesOf(reading)) {
      const profile = profileOf(text);
      // "Gym" and "gyms" are the same keyword.
      const phrase = phrases.get(profile.k) ?? { ...senseOf(text, profile, lexicon), conversations: new Map() };
      phrase.conversations.set(conversation, about);
      phrases.set(profile.k, phrase);
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

function senseOf(keyword: string, { k, t, w }: MatchingProfile, { ancestors }: Lexicon): Sense {
  const affinities = new Map(t.flatMap((topic, at) => (at % 2 === 0 ? [[topic, t[at + 1] ?? 0] as const] : [])));
  const above = new Set([...affinities.keys()].flatMap((topic) => ancestors[topic] ?? []));
  const topics = new Map([...affinities].filter(([topic]) => !above.has(topic)));
  return {
    text: keyword.toLowerCase(),
    stems: k.split(/[ |]/),
    topics,
    vector: new Int8Array(Buffer.from(w, 'base64')),
  };
}

/** How much of a keyword's topics a phrase has at least. */
const LEAST_SHARED = 0.4;
/** How like the keyword it is at least, and what is talked about where it is said: "toner" of a printer is nothing for the skin. */
const LEAST_LIKENESS = 0.3;
const LEAST_LIKENESS_OF_TALK = 0.45;

/** What could be keywords beside one, the nearest first. */
export function nearest(
  keyword: string,
  profile: MatchingProfile,
  phrases: readonly SaidPhrase[],
  lexicon: Lexicon,
): string[] {
  const sense = senseOf(keyword, profile, lexicon);
  return phrases
    .map((phrase) => ({ text: phrase.text, near: nearness(sense, phrase, lexicon) }))
    .filter(({ near }) => near > 0)
    .sort((a, b) => b.near - a.near)
    .map(({ text }) => text);
}

/** What else is said in conversations that a keyword reaches. */
interface Beside {
  text: string;
  /** Whether both are of one subject: "gym" of "yoga", and not "insurance" of "bicycle". */
  isOfItsSubject: boolean;
}

/** What is said in most of the conversations that a keyword reaches comes first; of equals the likest. */
export function beside(
  keyword: string,
  profile: MatchingProfile,
  phrases: readonly SaidPhrase[],
  reached: ReadonlySet<Message[]>,
  lexicon: Lexicon,
): Beside[] {
  const { stems, topics, vector } = senseOf(keyword, profile, lexicon);
  const subjects = subjectsOf(topics.keys(), lexicon);
  return phrases
    .filter((phrase) => !phrase.stems.some((stem) => stems.includes(stem)))
    .map((phrase) => ({ phrase, shared: [...phrase.conversations.keys()].filter((one) => reached.has(one)).length }))
    .filter(({ shared }) => shared > 0)
    .map(({ phrase, shared }) => ({
      text: phrase.text,
      shared,
      likeness: cosine(vector, phrase.vector),
      isOfItsSubject: [...subjectsOf(phrase.topics.keys(), lexicon)].some((one) => subjects.has(one)),
    }))
    .sort((a, b) => b.shared - a.shared || b.likeness - a.likeness);
}

/** The topics and those above them, first tiers aside: those hold too much. */
const subjectsOf = (topics: Iterable<number>, { ancestors, topics: paths }: Lexicon): Set<number> =>
  new Set(
    [...topics]
      .flatMap((topic) => [topic, ...(ancestors[topic] ?? [])])
      .filter((topic) => paths[topic]?.includes(' > ')),
  );

/** How well a phrase goes with a keyword, first those that go on from it ("gaming pc" of "gaming"); 0 where it does not. */
function nearness(keyword: Sense, phrase: SaidPhrase, lexicon: Lexicon): number {
  const { text, stems, vector, conversations } = phrase;
  const isPartOfIt = stems.every((stem) => keyword.stems.includes(stem));
  const isLonger = !isPartOfIt && ` ${text} `.includes(` ${keyword.text} `);
  const isOfItsTopics = !isPartOfIt && sharedTopics(keyword, phrase, lexicon) >= LEAST_SHARED;
  if (!isLonger && !isOfItsTopics) return 0;
  const likeness = cosine(keyword.vector, vector);
  const likenessOfTalk = Math.max(...[...conversations.values()].map((one) => cosine(keyword.vector, one)));
  const isLike = likeness >= LEAST_LIKENESS && likenessOfTalk >= LEAST_LIKENESS_OF_TALK;
  if (isLonger) return 2 + likeness + likenessOfTalk;
  return isLike ? likeness + likenessOfTalk : 0;
}

/** The part of a keyword's topics that a phrase has, or has something below. */
function sharedTopics(keyword: Sense, phrase: Sense, { ancestors }: Lexicon): number {
  let [shared, all] = [0, 0];
  for (const [topic, affinity] of keyword.topics) {
    all += affinity;
    const isShared = [...phrase.topics.keys()].some((one) => one === topic || ancestors[one]?.includes(topic));
    if (isShared) shared += affinity;
  }
  return shared / (all || 1);
}

function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [product, ofA, ofB] = [0, 0, 0];
  for (let k = 0; k < a.length; k++) {
    const [x, y] = [a[k] ?? 0, b[k] ?? 0];
    product += x * y;
    ofA += x * x;
    ofB += y * y;
  }
  return product / Math.sqrt(ofA * ofB || 1);
}
