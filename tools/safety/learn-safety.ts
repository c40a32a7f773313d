import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import {
  FEATURES,
  readSafetyOdds,
  SAFETY_CLASSES,
  type SafetyClass,
  type SafetyOdds,
  type SafetyWeights,
  visitFeatures,
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

/** The weights are the mean of so many runs, each with the sentences in another order. */
const RUNS = 3;
const EPOCHS = 16;
const STEP = 0.5;
const RIDGE = 3e-3;
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
  const code = ['../../shared/matching/safety/classifier.ts', './learn-safety.ts'];
  for (const path of [...sentenceFiles().map((file) => `./texts/${file}`), ...code])
    hash.update(readFileSync(new URL(path, import.meta.url)));
  return hash.digest('hex');
}

const sentenceFiles = (): string[] => readdirSync(TEXTS).sort();

interface Example {
  features: Int32Array;
  /** What one n-gram counts: long messages have many. */
  share: number;
  label: 0 | 1;
}

const ZERO = { bias: 0, step: 0 };

/** Learns to tell the classes: a logistic regression each, beside ordinary sentences alone. The same sentences give the same weights. */
export function learnSafety(sentences: readonly Sentence[]): SafetyWeights {
  const weights = new Int8Array(SAFETY_CLASSES.length * FEATURES);
  const scales = { distress: ZERO, unsafe: ZERO, condolence: ZERO };
  for (const [place, name] of SAFETY_CLASSES.entries()) {
    const used: readonly string[] = [name, COUNTERPART[name]];
    const own = sentences.filter((one) => used.includes(classOf(one)));
    const examples = [...own, ...mixSentences(own, generator(place + 1))].map(toExample);
    const mean = new Float64Array(FEATURES + 1);
    for (let run = 1; run <= RUNS; run++)
      for (const [i, weight] of fit(examples, run).entries()) mean[i]! += weight / RUNS;
    const learned = mean.subarray(0, FEATURES);
    const step = learned.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) / 127;
    scales[name] = { bias: mean[FEATURES]!, step };
    for (const [i, weight] of learned.entries()) weights[SAFETY_CLASSES.length * i + place] = Math.round(weight / step);
  }
  return { scales, weights };
}

/**
 * People put a crisis and a wish into one sentence, and tell long stories that are ordinary. So each short sentence of a class is also
 * learned within an ordinary one, and ordinary sentences also in the pieces that windows cut from a longer text.
 */
function mixSentences(sentences: readonly Sentence[], draw: () => number): Pick<Sentence, 'text' | 'label'>[] {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(draw() * list.length)]!;
  const ordinary = Map.groupBy(
    sentences.filter(({ label }) => label === 0),
    ({ lang }) => lang,
  );
  const wordsOf = (text: string) => text.split(/[\s.!?]+/);
  return sentences.flatMap(({ text, label, lang }): Pick<Sentence, 'text' | 'label'>[] => {
    const others = ordinary.get(lang);
    if (!others) return [];
    const next = wordsOf(pick(others).text);
    const greeting = draw() < 0.3 ? ['hi'] : [];
    if (label === 1) {
      const words = wordsOf(text);
      if (words.length > 14) return [];
      const tail = next.slice(0, 3 + Math.floor(draw() * 4));
      return [{ text: [...greeting, ...words, ...tail].join(' '), label }];
    }
    const all = [...greeting, ...wordsOf(text), ...next, ...wordsOf(pick(others).text)];
    const from = Math.floor(draw() * Math.max(1, all.length - 12));
    return [{ text: all.slice(from, from + 12).join(' '), label }];
  });
}

function toExample({ text, label }: Pick<Sentence, 'text' | 'label'>): Example {
  const features: number[] = [];
  visitFeatures(text, { onFeature: (feature) => features.push(feature) });
  return { features: Int32Array.from(features), share: 1 / Math.sqrt(features.length || 1), label };
}

/** Stochastic descent with a step of its own for each feature (J. Duchi, E. Hazan, Y. Singer 2011): rare ones move faster. */
function fit(examples: readonly Example[], seed: number): Float64Array {
  const draw = generator(seed);
  const weights = new Float64Array(FEATURES + 1);
  const moved = new Float64Array(FEATURES + 1).fill(1e-8);
  const descend = (index: number, slope: number) => {
    moved[index]! += slope * slope;
    weights[index]! -= (STEP * slope) / Math.sqrt(moved[index]!);
  };
  const order = [...examples];
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    for (let i = order.length - 1; i > 0; i--) {
      const j = Math.floor(draw() * (i + 1));
      [order[i], order[j]] = [order[j]!, order[i]!];
    }
    for (const { features, share, label } of order) {
      let sum = 0;
      for (const feature of features) sum += weights[feature]!;
      const error = 1 / (1 + Math.exp(-(weights[FEATURES]! + sum * share))) - label;
      for (const feature of features) descend(feature, error * share + RIDGE * weights[feature]!);
      descend(FEATURES, error);
    }
  }
  return weights;
}

/** Of the sentences of each writer, how sure the weights that the others taught are of each class. */
export function leaveWritersOut(sentences: readonly Sentence[]): (Sentence & { odds: SafetyOdds })[] {
  const writers = [...new Set(sentences.map(({ writer }) => writer))];
  return writers.flatMap((left) => {
    const weights = learnSafety(sentences.filter(({ writer }) => writer !== left));
    return sentences
      .filter(({ writer }) => writer === left)
      .map((sentence) => ({ ...sentence, odds: readSafetyOdds(sentence.text, weights) }));
  });
}
