import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { MESSAGE_START, PHRASE_KINDS, type PhraseKind, splitWords, stem } from '../../shared/matching/index.ts';
import { toRecord } from '../../shared/platform/values/typed.ts';
import { LEXICON_TEXTS } from './paths.ts';
import { readSafetyTexts } from './safety-rules.ts';

/** The content of the lexicon's texts, as stems. */
export interface Phrasebook {
  /** Hash of the content. Matching profiles store it, because they refer to topics by number. */
  version: string;
  /** Stems by band of frequency in everyday English, the most common first, separated by spaces. */
  bands: string[];
  /** `names` … `not`: phrases of stems separated by '|', each once. */
  topics: TopicPhrases[];
  /** First spelling in the texts of each phrase of stems: 'airlin ticket' is "airline tickets". */
  spellings: Map<string, string>;
  /** Rules that detect unsafe contexts. */
  safety: string;
}

type TopicPhrases = { path: string } & Record<PhraseKind, string>;

const FREQUENCY_FILE = '_english-frequency.txt';

type Phrases = Record<PhraseKind, Set<string>>;

/** Reads the lexicon's texts. @throws Error if a text is invalid */
export function readPhrasebook(): Phrasebook {
  const bands = readBands();
  const common = new Set(bands.flatMap((stems) => stems.split(' ')));
  const topics = new Map<string, Phrases>();
  const spellings = new Map<string, string>();
  const files = readdirSync(LEXICON_TEXTS).filter((file) => file.endsWith('.txt') && file !== FREQUENCY_FILE);
  for (const file of files.sort()) readTopics(file, topics, common, spellings);
  const compiled = { bands, topics: [...topics].map(([path, phrases]) => compileTopic(path, phrases)) };
  const version = createHash('sha256').update(JSON.stringify(compiled)).digest('hex').slice(0, 8);
  return { version, ...compiled, spellings, safety: readSafetyTexts() };
}

/** Lines "band 1: word word …", the most common words first. */
function readBands(): string[] {
  const bands: Set<string>[] = [];
  for (const { key, rest } of readLines(FREQUENCY_FILE)) {
    const band = Number(key.slice('band '.length)) - 1;
    bands[band] ??= new Set();
    for (const word of rest.split(' ')) bands[band].add(stem(word));
  }
  return bands.map((stems) => [...stems].join(' '));
}

/**
 * Lines "[path]", then "names: phrase, phrase …", "want: …", "words: …", "not: …". A path may occur in several files.
 * After "list pet: cat, dog", "feed my {pet}" expands to one phrase per item, until the end of the file.
 */
function readTopics(
  file: string,
  topics: Map<string, Phrases>,
  common: ReadonlySet<string>,
  spellings: Map<string, string>,
): void {
  let topic: Phrases | undefined;
  const lists = new Map<string, string[]>();
  /** Whether to drop phrases that reduce to a single common word. */
  let isWhole = true;
  for (const { key, rest } of readLines(file)) {
    if (key === 'path') {
      topic = topics.get(rest) ?? { names: new Set(), want: new Set(), words: new Set(), not: new Set() };
      topics.set(rest, topic);
      isWhole = !rest.startsWith('_') || rest.startsWith('_Intent > ');
      continue;
    }
    const phrases = rest.split(',').flatMap((phrase) => expandLists(phrase, lists));
    if (key.startsWith('list ')) {
      const name = key.slice('list '.length);
      lists.set(name, [...(lists.get(name) ?? []), ...phrases]);
      continue;
    }
    for (const phrase of phrases) {
      const { stems, spelling } = toStems(phrase);
      // Stop words are dropped: "my order" becomes "order". Such a word alone expresses no need.
      const bare = isWhole && phrase.trim().includes(' ') && common.has(stems);
      if (stems === '' || stems === MESSAGE_START || bare) continue;
      topic![key as PhraseKind].add(stems);
      if (!spellings.has(stems)) spellings.set(stems, spelling);
    }
  }
}

/** "feed my {pet}" for each item of the list "pet". */
function expandLists(phrase: string, lists: ReadonlyMap<string, string[]>): string[] {
  const [whole, name] = /\{(.*?)\}/.exec(phrase) ?? [];
  if (!whole) return [phrase.trim()];
  const items = lists.get(name!);
  if (!items) throw new Error(`"${phrase.trim()}": there is no list "${name}" above this line`);
  return items.flatMap((item) => expandLists(phrase.replace(whole, item), lists));
}

function readLines(file: string): { key: string; rest: string }[] {
  const found: { key: string; rest: string }[] = [];
  for (const [index, raw] of readFileSync(new URL(file, LEXICON_TEXTS), 'utf8').split('\n').entries()) {
    const line = raw.replace(/(^|\s)#.*/, '').trim();
    if (line === '') continue;
    const path = /^\[(.+)\]$/.exec(line)?.[1];
    const [, key, rest] = path
      ? ['', 'path', path]
      : (/^(names|want|words|not|list \w+|band \d): *(.*)$/.exec(line) ?? []);
    if (!key || !rest) throw new Error(`${file}:${index + 1}: expected "[topic]" or "names: …", got: ${raw}`);
    found.push({ key, rest });
  }
  return found;
}

function compileTopic(path: string, phrases: Phrases): TopicPhrases {
  for (const denied of phrases.not)
    if (phrases.names.has(denied) || phrases.want.has(denied) || phrases.words.has(denied))
      throw new Error(`[${path}] "${denied}" is both a phrase and a "not" of the topic, after stemming`);
  return { path, ...toRecord(PHRASE_KINDS, (kind) => [...phrases[kind]].join('|')) };
}

/** Cache of stems by word: the phrases repeat few words. */
const STEMS = new Map<string, string>();
function getStem(word: string): string {
  const found = STEMS.get(word) ?? stem(word);
  STEMS.set(word, found);
  return found;
}

/** The words of a phrase as stems, and as they are written. "^ play" is "play" at the start of a message. */
function toStems(phrase: string): { stems: string; spelling: string } {
  const start = phrase.trim().startsWith(MESSAGE_START) ? [MESSAGE_START] : [];
  const written = splitWords(phrase).map(({ word }) => word);
  return { stems: [...start, ...written.map(getStem)].join(' '), spelling: [...start, ...written].join(' ') };
}
