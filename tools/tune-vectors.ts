import type { Phrasebook } from '../infra/lexicon/phrasebook.ts';
import { DEFAULT_WORD_RULES, getRarity, splitWords, toFrequencyBands, VECTOR_SIZE } from '../shared/matching/index.ts';
import { dot } from './fit/regression.ts';
import type { KindMessage } from './kinds/kind-messages.ts';
import { generator, shuffle } from './random.ts';

/** Word vectors as the tuning changes them: `VECTOR_SIZE` numbers per stem. */
export interface StemVectors {
  stems: readonly string[];
  numbers: Float32Array;
}

/** The numbers of a text's stems, and their weights in the sum that represents it. */
interface Bag {
  stems: number[];
  weights: number[];
}

/** A message, or phrases of a topic, and keywords that it should be near to. */
interface Pair {
  need: Bag;
  keywords: Bag[];
  topic: string;
}

const EPOCHS = 6;
const BATCH = 128;
/** Draws of a topic's phrases in addition to the messages. They cover the words that no message has. */
const PHRASE_DRAWS = 100_000;
const RATE = 0.05;
/** Steepness of the softmax over a batch: how far apart two cosines must be for one to be clearly better. */
const STEEPNESS = 12;
/** Pulls each vector toward where it was, so that words that were rarely read keep their neighbors. */
const PULL = 1e-3;
const FIRST_SQUARE = 1e-3;
/** Shares of words and keywords that are left out of each example, so that no single one must carry it. */
const DROPPED = { words: 0.2, keywords: 0.3 };
const MIN_LENGTH = 0.01;

/**
 * Tunes word vectors so that a message that tells a need is near the keywords of the advertiser who meets it, and far from the other
 * advertisers of its batch (contrastive learning with both texts as sums of the same word vectors; compare StarSpace, L. Wu and others, AAAI
 * 2018). GloVe knows that a puppy is like a dog; only this teaches that "chews every shoe" is near "pet supplies". A vector's length becomes
 * how much its word says.
 */
export function tuneVectors(
  { stems, numbers: start }: StemVectors,
  messages: readonly KindMessage[],
  book: Phrasebook,
): Float32Array {
  const draw = generator(1);
  const toBag = bagReader(stems, book);
  const pairs = [...toMessagePairs(messages, toBag), ...drawPhrasePairs(book, toBag, draw)];
  const numbers = start.slice();
  const squares = new Float32Array(stems.length).fill(FIRST_SQUARE);
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    shuffle(pairs, draw);
    for (let first = 0; first + BATCH <= pairs.length; first += BATCH)
      improve(pairs.slice(first, first + BATCH), { numbers, start, squares }, draw);
  }
  return numbers;
}

interface State {
  numbers: Float32Array;
  start: Float32Array;
  /** By stem, the sum of squared slopes (AdaGrad). */
  squares: Float32Array;
}

/** One step on a batch: each need should be nearest to its own keywords, and the keywords to their need. */
function improve(pairs: readonly Pair[], state: State, draw: () => number): void {
  const needs = pairs.map(({ need }) => toUnitSum(dropSome(need, DROPPED.words, draw), state.numbers));
  const offers = pairs.map(({ keywords }) => {
    const kept = keywords.filter(() => draw() >= DROPPED.keywords);
    return toUnitSum(join(kept.length > 0 ? kept : keywords), state.numbers);
  });
  const scores = needs.map(({ unit }, i) =>
    offers.map((offer, j) =>
      i !== j && pairs[i]!.topic === pairs[j]!.topic ? Number.NEGATIVE_INFINITY : STEEPNESS * dot(unit, offer.unit),
    ),
  );
  const byNeed = scores.map(softmax);
  const byOffer = transpose(transpose(scores).map(softmax));
  const slopes = byNeed.map((row, i) =>
    row.map((chance, j) => STEEPNESS * ((chance + byOffer[i]![j]!) / 2 - (i === j ? 1 : 0))),
  );
  const changes = new Map<number, Float32Array>();
  for (const [i, need] of needs.entries()) addSlope(need, slopes[i]!, offers, changes);
  for (const [j, row] of transpose(slopes).entries()) addSlope(offers[j]!, row, needs, changes);
  for (const [stem, change] of changes) moveVector(stem, change, state);
}

interface UnitSum extends Bag {
  unit: Float32Array;
  length: number;
}

function toUnitSum({ stems, weights }: Bag, numbers: Float32Array): UnitSum {
  const unit = new Float32Array(VECTOR_SIZE);
  for (const [i, stem] of stems.entries())
    for (let k = 0; k < VECTOR_SIZE; k++) unit[k]! += weights[i]! * numbers[stem * VECTOR_SIZE + k]!;
  const length = Math.max(MIN_LENGTH, Math.sqrt(dot(unit, unit)));
  for (let k = 0; k < VECTOR_SIZE; k++) unit[k]! /= length;
  return { stems, weights, unit, length };
}

/** Adds to the changes of a text's words the slope of the loss, through the scaling to length 1. */
function addSlope(
  { stems, weights, unit, length }: UnitSum,
  slopes: readonly number[],
  others: readonly UnitSum[],
  changes: Map<number, Float32Array>,
): void {
  const slope = new Float32Array(VECTOR_SIZE);
  for (const [j, other] of others.entries())
    for (let k = 0; k < VECTOR_SIZE; k++) slope[k]! += slopes[j]! * other.unit[k]!;
  const along = dot(slope, unit);
  for (let k = 0; k < VECTOR_SIZE; k++) slope[k] = (slope[k]! - along * unit[k]!) / length;
  for (const [i, stem] of stems.entries()) {
    const change = changes.get(stem) ?? new Float32Array(VECTOR_SIZE);
    changes.set(stem, change);
    for (let k = 0; k < VECTOR_SIZE; k++) change[k]! += weights[i]! * slope[k]!;
  }
}

function moveVector(stem: number, change: Float32Array, { numbers, start, squares }: State): void {
  const first = stem * VECTOR_SIZE;
  for (let k = 0; k < VECTOR_SIZE; k++) change[k]! += STEEPNESS * PULL * (numbers[first + k]! - start[first + k]!);
  squares[stem]! += dot(change, change) / VECTOR_SIZE;
  const rate = RATE / Math.sqrt(squares[stem]!);
  for (let k = 0; k < VECTOR_SIZE; k++) numbers[first + k]! -= rate * change[k]!;
}

/** Reads texts as bags of the stems that have vectors, weighted by rarity. */
function bagReader(stems: readonly string[], { bands }: Phrasebook): (words: readonly string[]) => Bag {
  const numbers = new Map(stems.map((stem, number) => [stem, number]));
  const frequencyBands = toFrequencyBands(bands);
  return (words) => {
    const known = words.filter((word) => numbers.has(word));
    return {
      stems: known.map((word) => numbers.get(word)!),
      weights: known.map((word) => getRarity(word, frequencyBands)),
    };
  };
}

type ToBag = ReturnType<typeof bagReader>;

export const toStems = (text: string): string[] =>
  splitWords(text, DEFAULT_WORD_RULES).map(({ word }) => DEFAULT_WORD_RULES.getForms(word).plain);

const toMessagePairs = (messages: readonly KindMessage[], toBag: ToBag): Pair[] =>
  messages
    .filter(({ kind, keywords, lang }) => kind === 'wish' && keywords && lang === 'en')
    .map(({ text, keywords = [], topic = '' }) => ({
      need: toBag(toStems(text)),
      keywords: keywords.map((keyword) => toKeyword(toBag(toStems(keyword)))).filter(isFilled),
      topic,
    }))
    .filter(({ need, keywords }) => isFilled(need) && keywords.length > 0);

/** Pairs one or two phrases of a topic with three of its names. */
function drawPhrasePairs({ topics }: Phrasebook, toBag: ToBag, draw: () => number): Pair[] {
  const toBags = (...lists: string[]) =>
    lists.flatMap((list) => list.split('|').map((phrase) => toBag(phrase.split(' ')))).filter(isFilled);
  const read = topics
    .filter(({ path }) => !path.startsWith('_'))
    .map(({ path, names, want, words }) => ({ path, names: toBags(names), others: toBags(want, words) }))
    .filter(({ names }) => names.length > 3);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(draw() * items.length)]!;
  return Array.from({ length: PHRASE_DRAWS }, () => {
    const { path, names, others } = pick(read);
    const phrases = others.length > 0 && draw() < 0.6 ? others : names;
    const need = join(draw() < 0.5 ? [pick(phrases)] : [pick(phrases), pick(phrases)]);
    return { need, keywords: [pick(names), pick(names), pick(names)].map(toKeyword), topic: path };
  });
}

/** Keywords count equally, however many words they have. */
const toKeyword = ({ stems, weights }: Bag): Bag => ({
  stems,
  weights: weights.map((weight) => weight / Math.sqrt(stems.length)),
});

const isFilled = ({ stems }: Bag): boolean => stems.length > 0;

const join = (bags: readonly Bag[]): Bag => ({
  stems: bags.flatMap(({ stems }) => stems),
  weights: bags.flatMap(({ weights }) => weights),
});

function dropSome({ stems, weights }: Bag, share: number, draw: () => number): Bag {
  const kept = stems.map(() => stems.length <= 3 || draw() >= share);
  return { stems: stems.filter((_, i) => kept[i]), weights: weights.filter((_, i) => kept[i]) };
}

function softmax(scores: readonly number[]): number[] {
  const highest = Math.max(...scores);
  const odds = scores.map((score) => Math.exp(score - highest));
  const total = odds.reduce((sum, one) => sum + one, 0);
  return odds.map((one) => one / total);
}

const transpose = (rows: readonly (readonly number[])[]): number[][] =>
  rows[0]!.map((_, column) => rows.map((row) => row[column]!));
