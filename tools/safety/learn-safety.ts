import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import {
  FEATURES,
  FIRST_OF_LETTERS,
  readSafetyScores,
  SAFETY_CLASSES,
  SAFETY_COLUMNS,
  type SafetyClass,
  type SafetyScores,
  type SafetyWeights,
  visitMessageFeatures,
  WINDOW,
} from '../../shared/matching/index.ts';
import { generator } from '../random.ts';

/** A sentence of our own, by the hand that wrote it. */
interface Sentence {
  text: string;
  /** 0 for an ordinary message; 1 for one of a class. */
  label: 0 | 1;
  /**
   * The family of the crisis, or `unsafe`; of an ordinary message `alarming` (in alarming words), `positive`, or `ordinary`; `reply` for
   * an assistant's reply, to a crisis or to something ordinary.
   */
  kind: string;
  lang: string;
  writer: string;
}

const TEXTS = new URL('./texts/', import.meta.url);

const ROUNDS = 12;
/** What a sentence on the wrong side costs, beside large weights: higher fits the sentences more closely. */
const COST = 0.5;
/** Rarities are stored as bytes, this many to one of the logarithm. */
const RARITY_STEPS = 10;

/** What a sentence is an example of: itself as a message or as a reply, ordinary or of a class. */
function classOf({ label, kind }: Pick<Sentence, 'label' | 'kind'>): SafetyClass | 'ordinary' | 'ordinary reply' {
  if (kind === 'reply') return label === 1 ? 'condolence' : 'ordinary reply';
  if (label === 0) return 'ordinary';
  return kind === 'unsafe' ? 'unsafe' : 'distress';
}

/** By class, what its examples are told from. */
const COUNTERPART = { distress: 'ordinary', unsafe: 'ordinary', condolence: 'ordinary reply' } as const;

/** All sentences to learn from: one file a writer. */
export const readSentences = (): Sentence[] =>
  sentenceFiles().flatMap((file) =>
    readFileSync(new URL(file, TEXTS), 'utf8')
      .trim()
      .split('\n')
      .map((line) => ({ kind: 'unknown', lang: 'en', ...JSON.parse(line), writer: file.replace('.jsonl', '') })),
  );

/** Stands for the sentences and the code that the weights follow from. */
export function sourcesOfSafety(): string {
  const hash = createHash('sha256');
  const matching = '../../shared/matching';
  const code = [
    `${matching}/safety/classifier.ts`,
    `${matching}/text/message-features.ts`,
    `${matching}/text/typing.ts`,
    './learn-safety.ts',
  ];
  for (const path of [...sentenceFiles().map((file) => `./texts/${file}`), ...code])
    hash.update(readFileSync(new URL(path, import.meta.url)));
  return hash.digest('hex');
}

const sentenceFiles = (): string[] => readdirSync(TEXTS).sort();

interface Example {
  features: Int32Array;
  values: Float32Array;
  label: 0 | 1;
}

const ZERO = { bias: 0, step: 0 };

/** Learns to tell the classes: a linear classifier each, beside ordinary sentences alone. The same sentences give the same weights. */
export function learnSafety(sentences: readonly Sentence[]): SafetyWeights {
  const rarities = raritiesOf(sentences);
  const weights = new Int8Array(SAFETY_COLUMNS * FEATURES);
  for (const [feature, rarity] of rarities.entries())
    weights[SAFETY_COLUMNS * feature + SAFETY_CLASSES.length] = rarity;
  const scales = { distress: ZERO, unsafe: ZERO, condolence: ZERO };
  for (const [place, name] of SAFETY_CLASSES.entries()) {
    const used: readonly string[] = [name, COUNTERPART[name]];
    const own = sentences.filter((one) => used.includes(classOf(one)));
    const draw = generator(place + 1);
    const texts = [...own, ...mixSentences(own, draw), ...cutSentences(own, draw), ...mistypeSentences(own, draw)];
    const learned = fit(
      texts.map((one) => toExample(one, rarities)),
      draw,
    );
    const step = learned.subarray(0, FEATURES).reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) / 127;
    scales[name] = { bias: learned[FEATURES]!, step };
    for (let i = 0; i < FEATURES; i++) weights[SAFETY_COLUMNS * i + place] = Math.round(learned[i]! / step);
  }
  return { scales, weights };
}

/** By n-gram the inverse document frequency, in steps; of one that no sentence has, 0: it says nothing. */
function raritiesOf(sentences: readonly Sentence[]): Uint8Array {
  const counts = new Int32Array(FEATURES);
  for (const { text } of sentences) {
    const features = new Set<number>();
    visitMessageFeatures(text, { onFeature: (feature) => features.add(feature) });
    for (const feature of features) counts[feature]!++;
  }
  return Uint8Array.from(counts, (count) =>
    count === 0 ? 0 : Math.min(127, Math.round(RARITY_STEPS * (1 + Math.log(sentences.length / count)))),
  );
}

/** Words of a short sentence, beside which a wish may stand. */
const SHORT = 14;

const wordsOf = (text: string): string[] => text.split(/[\s.!?]+/).filter(Boolean);

/** Draws an ordinary text of a language; undefined where there is none. */
function ordinaryTexts(sentences: readonly Sentence[], draw: () => number): (lang: string) => string | undefined {
  const byLanguage = Map.groupBy(
    sentences.filter(({ label }) => label === 0),
    ({ lang }) => lang,
  );
  return (lang) => {
    const texts = byLanguage.get(lang);
    return texts?.[Math.floor(draw() * texts.length)]?.text;
  };
}

/** People put a crisis and a wish into one sentence: so each short sentence of a class is also learned in front of an ordinary one. */
function mixSentences(sentences: readonly Sentence[], draw: () => number): Pick<Sentence, 'text' | 'label'>[] {
  const drawText = ordinaryTexts(sentences, draw);
  return sentences.flatMap(({ text, label, lang }): Pick<Sentence, 'text' | 'label'>[] => {
    const words = wordsOf(text);
    if (label === 0 || words.length > SHORT) return [];
    const next = drawText(lang);
    if (next === undefined) return [];
    const tail = wordsOf(next).slice(0, 3 + Math.floor(draw() * 4));
    return [{ text: [...words, ...tail].join(' '), label }];
  });
}

/** An ordinary message is ordinary in each of the pieces that the classifier reads, and where another one follows without a full stop. */
function cutSentences(sentences: readonly Sentence[], draw: () => number): Pick<Sentence, 'text' | 'label'>[] {
  const drawText = ordinaryTexts(sentences, draw);
  const ordinary = sentences.filter(({ label }) => label === 0);
  return ordinary.flatMap(({ text, label, lang }) => {
    const next = drawText(lang);
    const pieces = [...pieceTexts(text), ...pieceTexts(`${wordsOf(text).join(' ')} ${next}`)];
    return [...new Set(pieces)].filter((piece) => piece !== text).map((piece) => ({ text: piece, label }));
  });
}

/** Roughly the sentences and windows of a text that `readSafetyScores` reads. */
function pieceTexts(text: string): string[] {
  const sentences = text.split(/[.!?;:\n]+/).map((sentence) => sentence.trim().split(/\s+/));
  return sentences
    .filter(({ length }) => length > 1)
    .flatMap((words) => {
      const pieces: string[] = [];
      for (let from = 0; from === 0 || from + WINDOW.words - WINDOW.step < words.length; from += WINDOW.step)
        pieces.push(words.slice(from, from + WINDOW.words).join(' '));
      return pieces;
    });
}

/** One word in so many is mistyped, and one short sentence in so many has no spaces. */
const [MISTYPED, GLUED] = [3, 20];

/**
 * People mistype most when it hurts most, and in the very words that tell it. So each sentence is learned once more as a hurried hand
 * types it: letters swapped, dropped, doubled, or taken for their neighbors, and no apostrophes.
 */
const mistypeSentences = (sentences: readonly Sentence[], draw: () => number): Pick<Sentence, 'text' | 'label'>[] =>
  sentences
    .filter(({ text }) => /[a-z]/i.test(text))
    .map(({ text, label }) => {
      const words = text.replace(/['’]/g, '').split(/\s+/);
      if (words.length <= 5 && draw() * GLUED < 1) return { text: words.join(''), label };
      return { text: words.map((word) => (draw() * MISTYPED < 1 ? mistype(word, draw) : word)).join(' '), label };
    });

/** Letters by those beside them on a keyboard. */
const KEYS = 'qwertyuiop asdfghjkl zxcvbnm';

function mistype(word: string, draw: () => number): string {
  if (word.length < 3) return word;
  const at = 1 + Math.floor(draw() * (word.length - 2));
  const [before, here, next, after] = [word.slice(0, at), word[at]!, word[at + 1]!, word.slice(at + 2)];
  const kind = Math.floor(draw() * 4);
  if (kind === 0) return before + next + here + after;
  if (kind === 1) return before + next + after;
  if (kind === 2) return before + here + here + next + after;
  const key = KEYS.indexOf(here);
  return before + (KEYS[key + 1]?.trim() || here) + next + after;
}

/** A text as the classifier reads it: each n-gram by its rarity, the n-grams of words and those of letters each of length 1 together. */
function toExample({ text, label }: Pick<Sentence, 'text' | 'label'>, rarities: Uint8Array): Example {
  const sums = new Map<number, number>();
  const squares = [0, 0];
  visitMessageFeatures(text, {
    onFeature(feature) {
      const rarity = rarities[feature]!;
      if (rarity === 0) return;
      sums.set(feature, (sums.get(feature) ?? 0) + rarity);
      squares[feature < FIRST_OF_LETTERS ? 0 : 1]! += rarity * rarity;
    },
  });
  const [words, letters] = squares.map((sum) => Math.sqrt(sum || 1));
  const values = Float32Array.from(sums, ([feature, sum]) => sum / (feature < FIRST_OF_LETTERS ? words! : letters!));
  return { features: Int32Array.from(sums.keys()), values, label };
}

/**
 * A support vector machine with squared hinge loss, by dual coordinate descent (C.-J. Hsieh and others 2008, algorithm 1).
 * @returns the weights, and the bias behind them
 */
function fit(examples: readonly Example[], draw: () => number): Float64Array {
  const weights = new Float64Array(FEATURES + 1);
  const diagonal = 1 / (2 * COST);
  const duals = new Float64Array(examples.length);
  const curvatures = Float64Array.from(examples, ({ values }) => {
    let squares = 1;
    for (const value of values) squares += value * value;
    return squares + diagonal;
  });
  const order = Int32Array.from(examples, (_, i) => i);
  for (let round = 0; round < ROUNDS; round++) {
    for (let i = order.length - 1; i > 0; i--) {
      const j = Math.floor(draw() * (i + 1));
      [order[i], order[j]] = [order[j]!, order[i]!];
    }
    for (const at of order) {
      const { features, values, label } = examples[at]!;
      const side = label === 1 ? 1 : -1;
      let sum = weights[FEATURES]!;
      for (let i = 0; i < features.length; i++) sum += weights[features[i]!]! * values[i]!;
      const before = duals[at]!;
      const after = Math.max(0, before - (side * sum - 1 + diagonal * before) / curvatures[at]!);
      if (after === before) continue;
      duals[at] = after;
      const change = side * (after - before);
      for (let i = 0; i < features.length; i++) weights[features[i]!]! += change * values[i]!;
      weights[FEATURES]! += change;
    }
  }
  return weights;
}

/** Writers are left out in this many groups. */
const FOLDS = 6;

/** How sure the weights that the writers of other groups taught are of each class. */
export function leaveWritersOut(sentences: readonly Sentence[]): (Sentence & { scores: SafetyScores })[] {
  const writers = [...new Set(sentences.map(({ writer }) => writer))];
  const foldOf = new Map(writers.map((writer, i) => [writer, i % FOLDS]));
  return Array.from({ length: FOLDS }, (_, fold) => {
    const weights = learnSafety(sentences.filter(({ writer }) => foldOf.get(writer) !== fold));
    return sentences
      .filter(({ writer }) => foldOf.get(writer) === fold)
      .map((sentence) => ({ ...sentence, scores: readSafetyScores(sentence.text, weights) }));
  }).flat();
}
