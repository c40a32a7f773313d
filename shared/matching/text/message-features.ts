import { fold } from './fold.ts';
import { SENTENCE_GAP, TokenScanner } from './token-scanner.ts';
import { readTyping } from './typing.ts';
import { isUnspaced, splitToken } from './words.ts';

/** Number of features. N-grams of words have the lower half, those of letters the upper half; two that collide share their weights. */
export const FEATURES = 1 << 18;
export const FIRST_OF_LETTERS = FEATURES / 2;

/** Only this many letters of a word are cut into n-grams, of two letters up to this many. */
const MAX_LETTERS = 20;
const MAX_NGRAM_LETTERS = 5;

/** Receives the features of a message, word by word. */
interface FeatureVisitor {
  /** Called when a sentence begins. */
  onSentence?(): void;
  onFeature(feature: number): void;
  onWordEnd?(): void;
}

/**
 * Finds the features by which the learned classifiers read a message (safety, kind of message): n-grams of one to three words, of two words
 * around a third, and of the letters of each word. A character of a script without spaces counts as a word. Relatives count as one word, and
 * so do days and numbers: what happened to a brother on Monday happens to a cousin on Friday. Linear in the text.
 */
export function visitMessageFeatures(text: string, { onSentence, onFeature, onWordEnd }: FeatureVisitor): void {
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
      const known = WORD_CLASSES.get(word) ?? (/^\d/.test(word) ? '#' : word);
      const hash = hashUnits(known, 0, Math.min(known.length, 4 * MAX_LETTERS), WORD);
      // Repeating a word many times says no more than saying it twice.
      if (hash === last && hash === secondLast) continue;
      onFeature(toPlace(hash));
      onFeature(toPlace(Math.imul(last, 31) ^ hash));
      if (secondLast !== 0) {
        onFeature(toPlace(Math.imul(secondLast, 131) ^ Math.imul(last, 31) ^ hash));
        onFeature(toPlace(Math.imul(secondLast, 977) ^ hash));
      }
      const edged = `<${word.slice(0, MAX_LETTERS)}>`;
      for (let from = 0; from < edged.length - 1; from++) {
        const end = Math.min(from + MAX_NGRAM_LETTERS, edged.length);
        let letters = hashUnits(edged, from, from + 1, LETTERS);
        for (let to = from + 2; to <= end; to++) {
          letters = hashUnits(edged, to - 1, to, letters);
          onFeature(FIRST_OF_LETTERS + toPlace(letters));
        }
      }
      onWordEnd?.();
      [secondLast, last] = [last, hash];
    }
  }
}

/** Words that count as one, and the word that replaces them. */
const WORD_CLASSES = new Map(
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

/** Seeds of hashes: n-grams of words never equal those of letters. */
const WORD = 0x811c9dc5;
const LETTERS = 0x9e3779b9;
const START = 0x5bd1e995;

function hashUnits(text: string, from: number, to: number, seed: number): number {
  let hash = seed | 0;
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}

/** The low bits of a hash, mixed with its high bits. */
function toPlace(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 12)) & (FIRST_OF_LETTERS - 1);
}
