import { fingerprint } from '../text/fingerprint.ts';
import { splitWords } from '../text/words.ts';

/** Properties of topics, by topic number. */
export interface Topics {
  /** Paths, for example "Travel > Travel Type > Air Travel". */
  topics: string[];
  /** The topics that contain each topic, the nearest first. */
  ancestors: readonly (readonly number[])[];
  /** 1 for a topic below "_": things that people mention but nobody sells (small talk, tasks), or a sensitive topic. */
  isInternal: Uint8Array;
  /** 1 for a way of asking. */
  isIntent: Uint8Array;
  /** 1 for a topic that makes a conversation unsuitable for ads. */
  isSensitive: Uint8Array;
  /** 1 for a topic whose phrases hide the products named inside them. */
  hidesProducts: Uint8Array;
  internalTopics: InternalTopics;
}

type InternalTopics = ReturnType<typeof findInternalTopics>;

/** Numbers of the internal topics that matching refers to by name; -1 if a lexicon lacks one. */
const findInternalTopics = (getNumber: (path: string) => number) => ({
  smallTalk: getNumber('_Small Talk'),
  deviceCommand: getNumber('_Device Command'),
  weather: getNumber('_Weather'),
  trivia: getNumber('_Trivia'),
  task: getNumber('_Task'),
  writing: getNumber('_Writing'),
  statement: getNumber('_Telling'),
  occupation: getNumber('_Occupation'),
  request: getNumber('_Intent > Seek'),
  fictionOrNews: getNumber('_Fiction or News'),
});

export function loadTopics(topics: string[]): Topics {
  const numbers = new Map(topics.map((path, number) => [path, number]));
  const internalTopics = findInternalTopics((path) => numbers.get(path) ?? -1);
  const { smallTalk, deviceCommand, weather, occupation } = internalTopics;
  const hidingTopics = new Set([smallTalk, deviceCommand, weather, occupation]);
  const flags = (predicate: (path: string, topic: number) => boolean) =>
    Uint8Array.from(topics, (path, topic) => (predicate(path, topic) ? 1 : 0));
  const isIntent = (path: string) => path.startsWith('_Intent > ');
  return {
    topics,
    ancestors: topics.map((path) => findAncestors(path, numbers)),
    isInternal: flags((path) => path.startsWith('_')),
    isIntent: flags(isIntent),
    isSensitive: flags((path) => path.startsWith('_Sensitive > ')),
    hidesProducts: flags((path, topic) => hidingTopics.has(topic) || isIntent(path)),
    internalTopics,
  };
}

function findAncestors(path: string, numbers: ReadonlyMap<string, number>): number[] {
  const found: number[] = [];
  for (let cut = path.lastIndexOf(' > '); cut > 0; cut = path.lastIndexOf(' > ', cut - 1)) {
    const ancestor = numbers.get(path.slice(0, cut));
    if (ancestor !== undefined) found.push(ancestor);
  }
  return found;
}

/** Digits of a topic's id in base 36. */
const ID_DIGITS = 6;

/** A short id of a topic, from its path. Stored records use it, because the number of a topic changes with the lexicon. */
export const toTopicId = (path: string): string =>
  fingerprint(path).toString(36).padStart(ID_DIGITS, '0').slice(-ID_DIGITS);

/** Normalizes topic names for comparison: "Bars & Restaurants" becomes "bars and restaurants". */
export function toTopicKey(name: string): string {
  return splitWords(name.replace(/&/g, ' and '))
    .map(({ word }) => word)
    .join(' ');
}

/** The topics with these IAB Content Taxonomy names. */
export const findTopicsByName = (
  names: readonly string[],
  { topicsByName }: { topicsByName: ReadonlyMap<string, number[]> },
): ReadonlySet<number> => new Set(names.flatMap((name) => topicsByName.get(toTopicKey(name)) ?? []));
