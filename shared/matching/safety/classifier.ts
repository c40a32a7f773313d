import { fold } from '../text/fold.ts';
import { SENTENCE_GAP, TokenScanner } from '../text/token-scanner.ts';
import { isUnspaced, splitToken } from '../text/words.ts';
import { readTyping } from './typing.ts';

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

/** N-grams of words have the lower half of these places, those of letters the upper half; two that collide share their weights. */
export const FEATURES = 1 << 18;
export const FIRST_OF_LETTERS = FEATURES / 2;

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
/** Only so many letters of a word are cut into n-grams. */
const MAX_LETTERS = 20;
/** They are cut into n-grams of two letters to so many. */
const LONGEST_NGRAM = 5;

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
  visitFeatures(text, {
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

/** What is told of a text while its n-grams are found. */
interface FeatureVisitor {
  /** A sentence begins. */
  onSentence?(): void;
  onFeature(feature: number): void;
  onWordEnd?(): void;
}

/**
 * Hands on the numbers of a text's n-grams, word by word: of one to three words in a row, of two words around a third, and of the word's
 * letters. A character of a script without spaces counts as a word. Relatives are one word here, and so are days and numbers: what happened
 * to a brother on Monday happens to a cousin on Friday.
 */
export function visitFeatures(text: string, { onSentence, onFeature, onWordEnd }: FeatureVisitor): void {
  let last = 0;
  let secondLast = 0;
  for (const scanner = new TokenScanner(fold(readTyping(text))); scanner.next(); ) {
    if (last === 0 || scanner.gap >= SENTENCE_GAP) {
      [last, secondLast] = [START, 0];
      onSentence?.();
    }
    const { token } = scanner;
    const words = scanner.isWord ? [token] : isUnspaced(token) ? token : splitToken(token);
    for (const word of words) {
      const known = CLASSES.get(word) ?? (/^\d/.test(word) ? '#' : word);
      const hash = hashOf(known, 0, Math.min(known.length, 4 * MAX_LETTERS), WORD);
      // Said over and over, a word says no more than twice.
      if (hash === last && hash === secondLast) continue;
      onFeature(placeOf(hash));
      onFeature(placeOf(Math.imul(last, 31) ^ hash));
      if (secondLast !== 0) {
        onFeature(placeOf(Math.imul(secondLast, 131) ^ Math.imul(last, 31) ^ hash));
        onFeature(placeOf(Math.imul(secondLast, 977) ^ hash));
      }
      const edged = `<${word.slice(0, MAX_LETTERS)}>`;
      for (let from = 0; from < edged.length - 1; from++) {
        const end = Math.min(from + LONGEST_NGRAM, edged.length);
        let letters = hashOf(edged, from, from + 1, LETTERS);
        for (let to = from + 2; to <= end; to++) {
          letters = hashOf(edged, to - 1, to, letters);
          onFeature(FIRST_OF_LETTERS + placeOf(letters));
        }
      }
      onWordEnd?.();
      [secondLast, last] = [last, hash];
    }
  }
}

/** Words read as one, by the word that stands for them. */
const CLASSES = new Map(
  Object.entries({
    '@kin':
      'mom mum mother mommy mam mama mummy ma dad father daddy da papa pop brother bro sister sis son daughter wife husband hubby partner bf gf boyfriend girlfriend fiance fiancee grandma grandpa gran granny nan nana nanna grandmother grandfather grandad granddad grandson granddaughter aunt auntie uncle cousin nephew niece kid kids child children baby toddler twin stepdad stepmom stepson roommate flatmate mate friend bestie bff colleague coworker neighbor neighbour ex spouse missus dads moms mums sons daughters brothers sisters wifes husbands kiddo parents',
    '@pet': 'dog cat puppy kitten hamster rabbit bunny horse parrot bird pup doggo kitty pet ferret',
    '@day':
      'today yesterday tonight tomorrow monday tuesday wednesday thursday friday saturday sunday week month weekend morning afternoon evening night',
    '@month':
      'january february march april june july august september october november december jan feb apr jun jul aug sep sept oct nov dec',
    '@few': 'one two three four five six seven eight nine ten eleven twelve couple few several',
    '@they': 'he she hes shes they theyre him her',
  }).flatMap(([name, words]) => words.split(' ').map((word) => [word, name] as const)),
);

/** Seeds of hashes: n-grams of one kind never equal those of another. */
const WORD = 0x811c9dc5;
const LETTERS = 0x9e3779b9;
const START = 0x5bd1e995;

function hashOf(text: string, from: number, to: number, seed: number): number {
  let hash = seed | 0;
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}

/** The low bits of a hash, after its high bits had their say. */
function placeOf(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 12)) & (FIRST_OF_LETTERS - 1);
}
