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
  /** By the number of an n-gram the weights of the classes, side by side: FEATURES times the number of classes. */
  weights: Int8Array;
  /** By the number of an n-gram, how rare it is among the sentences that were learned from: rare ones say more. */
  rarities: Uint8Array;
}

/** N-grams of words have the lower half of these places, those of letters the upper half; two that collide share their weights. */
export const FEATURES = 1 << 18;
const HALF = FEATURES / 2;

/**
 * Words read together. One sentence must count wherever it stands, so each is read alone: beside "which laptop should I buy", a crisis would
 * weigh little. Long ones are read in short windows too, since many people write without full stops, and the whole text in long windows.
 */
export const IN_SENTENCE = { words: 14, step: 5 };
export const IN_TEXT = { words: 32, step: 8 };
/** One word says little beside others. */
const SHORTEST_SENTENCE = 2;
/** Only so many letters of a word are cut into n-grams. */
const MAX_LETTERS = 20;
const LETTER_NGRAMS = [2, 3, 4, 5];

/**
 * How sure the classifier is of a text, by class: the score of the sentence or window that it is surest of. Time is linear in the text.
 */
export function readSafetyScores(text: string, { scales, weights, rarities }: SafetyWeights): SafetyScores {
  const sum: NgramSums = { words: noSums(), letters: noSums() };
  const sums: NgramSums[] = [copyOf(sum)];
  const sentences: number[] = [];
  visitFeatures(text, {
    onSentence: () => sentences.push(sums.length - 1),
    onFeature(feature) {
      const part = feature < HALF ? sum.words : sum.letters;
      const rarity = rarities[feature]!;
      const first = SAFETY_CLASSES.length * feature;
      part.distress += weights[first]! * rarity;
      part.unsafe += weights[first + 1]! * rarity;
      part.condolence += weights[first + 2]! * rarity;
      part.squares += rarity * rarity;
    },
    onWordEnd: () => sums.push(copyOf(sum)),
  });
  const words = sums.length - 1;
  const highest: SafetyScores = { distress: -Infinity, unsafe: -Infinity, condolence: -Infinity };
  const read = (from: number, to: number) => {
    const [start, end] = [sums[from]!, sums[to]!];
    const length = lengthOf(start.words, end.words);
    const lettersLength = lengthOf(start.letters, end.letters);
    for (const one of SAFETY_CLASSES)
      highest[one] = Math.max(
        highest[one],
        (end.words[one] - start.words[one]) / length + (end.letters[one] - start.letters[one]) / lettersLength,
      );
  };
  const slide = (from: number, to: number, { words: size, step }: typeof IN_TEXT) => {
    for (let start = from; start === from || start + size - step < to; start += step)
      read(start, Math.min(start + size, to));
  };
  for (const [at, from] of sentences.entries()) {
    const to = sentences[at + 1] ?? words;
    if (to - from >= SHORTEST_SENTENCE) slide(from, to, IN_SENTENCE);
  }
  slide(0, words, IN_TEXT);
  const score = (one: SafetyClass) => scales[one].bias + scales[one].step * highest[one];
  return { distress: score('distress'), unsafe: score('unsafe'), condolence: score('condolence') };
}

/** By class the sum of weights times rarities, and the sum of the squares of rarities, of the n-grams up to a word. */
type Sums = SafetyScores & { squares: number };

/** Words and letters are weighed apart, so that a text's many n-grams of letters do not drown its words. */
interface NgramSums {
  words: Sums;
  letters: Sums;
}

const noSums = (): Sums => ({ distress: 0, unsafe: 0, condolence: 0, squares: 0 });
const copyOf = ({ words, letters }: NgramSums): NgramSums => ({ words: { ...words }, letters: { ...letters } });
const lengthOf = (start: Sums, end: Sums): number => Math.sqrt(end.squares - start.squares || 1);

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
      onFeature(placeOf(hash));
      onFeature(placeOf(Math.imul(last, 31) ^ hash));
      if (secondLast !== 0) {
        onFeature(placeOf(Math.imul(secondLast, 131) ^ Math.imul(last, 31) ^ hash));
        onFeature(placeOf(Math.imul(secondLast, 977) ^ hash));
      }
      const edged = `<${word.slice(0, MAX_LETTERS)}>`;
      for (const length of LETTER_NGRAMS)
        for (let from = 0; from + length <= edged.length; from++)
          onFeature(HALF + placeOf(hashOf(edged, from, from + length, length)));
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
const START = 0x5bd1e995;

function hashOf(text: string, from: number, to: number, seed: number): number {
  let hash = seed | 0;
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}

/** The low bits of a hash, after its high bits had their say. */
function placeOf(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 12)) & (HALF - 1);
}
