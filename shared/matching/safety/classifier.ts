import { FIRST_OF_LETTERS, visitMessageFeatures } from '../text/message-features.ts';

/**
 * What the classifier tells from ordinary messages: a user's message told in distress (a crisis, a misfortune), an unsafe one (crime, hate,
 * and the like), and an assistant's reply to distress ("I'm so sorry for your loss").
 */
export const SAFETY_CLASSES = ['distress', 'unsafe', 'condolence'] as const;
export type SafetyClass = (typeof SAFETY_CLASSES)[number];

/** By class, how sure the classifier is: above 0 the text is rather of the class, at 1 almost certainly, at -1 almost certainly not. */
export type SafetyScores = Record<SafetyClass, number>;

/**
 * A linear classifier for each class, on n-grams of words and of letters. Rules know what people must write; this knows what they do write:
 * "they found a mass on my pancreas" is distress, and "this traffic kills me" is not. `npm run train -- safety fit` learns it from
 * `tools/safety/texts`.
 */
export interface SafetyWeights {
  /** By class: the score of a text without any known n-gram, and how much one unit of a weight is worth. */
  scales: Record<SafetyClass, { bias: number; step: number }>;
  /**
   * By the number of an n-gram SAFETY_COLUMNS bytes: the weights of the classes, and how rare the n-gram is among the sentences that were
   * learned from, since rare ones say more. They stand side by side because fetching them from memory takes most of the time.
   */
  weights: Int8Array;
}

export const SAFETY_COLUMNS = SAFETY_CLASSES.length + 1;
/** The last column: the rarity of an n-gram, or the sum of the squares of rarities. */
const RARITY = SAFETY_CLASSES.length;

/**
 * Words read together. One sentence must count wherever it stands, so each is read alone: beside "which laptop should I buy", a crisis would
 * weigh little. Long ones are read in windows, since many people write without full stops. Sentences are not read together: each says little
 * of distress by chance, and many of them would say much.
 */
export const WINDOW = { words: 14, step: 5 };
/** One word says little beside others. Alone it may say all ("evicted"), if it is longer than "me" and the classifier is surer than of a sentence. */
const SHORTEST_SENTENCE = 2;
const SHORTEST_WORD = 5;
const DOUBT_OF_ONE_WORD = 0.3;
/**
 * Sums over a text's n-grams: of weights times rarities for each class, and of the squares of rarities. Words and letters have sums of their
 * own, so that a text's many n-grams of letters do not drown its words.
 */
const [OF_WORDS, OF_LETTERS, BOTH] = [0, SAFETY_COLUMNS, 2 * SAFETY_COLUMNS];

/**
 * How sure the classifier is of a text, by class: the score of the sentence or window that it is surest of. Time is linear in the text.
 */
export function readSafetyScores(text: string, weights: SafetyWeights): SafetyScores {
  const { sums, words, sentences } = sumUp(text, weights);
  const highest = SAFETY_CLASSES.map(() => Number.NEGATIVE_INFINITY);
  const part = (sum: number, from: number, to: number) => sums[BOTH * to + sum]! - sums[BOTH * from + sum]!;
  const read = (from: number, to: number) => {
    const length = Math.sqrt(part(OF_WORDS + RARITY, from, to) || 1);
    const lettersLength = Math.sqrt(part(OF_LETTERS + RARITY, from, to) || 1);
    for (let one = 0; one < highest.length; one++) {
      const score = part(OF_WORDS + one, from, to) / length + part(OF_LETTERS + one, from, to) / lettersLength;
      if (score > highest[one]!) highest[one] = score;
    }
  };
  for (const [at, from] of sentences.entries()) {
    const to = sentences[at + 1] ?? words;
    const isRead = to - from >= SHORTEST_SENTENCE || (words === 1 && text.trim().length >= SHORTEST_WORD);
    for (let start = from; isRead && (start === from || start + WINDOW.words - WINDOW.step < to); start += WINDOW.step)
      read(start, Math.min(start + WINDOW.words, to));
  }
  const doubt = words === 1 ? DOUBT_OF_ONE_WORD : 0;
  const score = (name: SafetyClass) => {
    const { bias, step } = weights.scales[name];
    return bias + step * highest[SAFETY_CLASSES.indexOf(name)]! - doubt;
  };
  return { distress: score('distress'), unsafe: score('unsafe'), condolence: score('condolence') };
}

/** The sums up to each word of a text, one row a word after a row of zeros; how many words it has, and where its sentences begin. */
function sumUp(text: string, { weights }: SafetyWeights) {
  let sums = new Float64Array(BOTH * Math.min(64, 1 + text.length));
  const sum = new Float64Array(BOTH);
  const sentences: number[] = [];
  let words = 0;
  visitMessageFeatures(text, {
    onSentence: () => sentences.push(words),
    onFeature(feature) {
      const row = SAFETY_COLUMNS * feature;
      const rarity = weights[row + RARITY]!;
      if (rarity === 0) return;
      const first = feature < FIRST_OF_LETTERS ? OF_WORDS : OF_LETTERS;
      for (let one = 0; one < RARITY; one++) sum[first + one]! += weights[row + one]! * rarity;
      sum[first + RARITY]! += rarity * rarity;
    },
    onWordEnd() {
      words++;
      if (BOTH * words >= sums.length) {
        const longer = new Float64Array(2 * sums.length);
        longer.set(sums);
        sums = longer;
      }
      sums.set(sum, BOTH * words);
    },
  });
  return { sums, words, sentences };
}
