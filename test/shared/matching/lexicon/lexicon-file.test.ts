import { describe, expect, it } from 'vitest';
import { compileLexicon } from '../../../../infra/lexicon/compile.ts';
import type { NgramTable } from '../../../../shared/matching/language/ngrams.ts';
import { VECTOR_SIZE } from '../../../../shared/matching/lexicon/lexicon.ts';
import { packLexicon, unpackLexicon } from '../../../../shared/matching/lexicon/lexicon-file.ts';
import { toError } from '../../../../shared/platform/values/typed.ts';

const ngrams: NgramTable = {
  languages: ['en', 'de'],
  ngrams: Int32Array.of(-7, 3),
  ngramCounts: Uint8Array.of(1, 2),
  ngramLanguages: Uint8Array.of(0, 0, 1),
  ngramScores: Uint8Array.of(9, 8, 7),
};
const SCALE = { bias: -2, step: 0.25 };
const compiled = compileLexicon(
  {
    version: 'small',
    bands: ['find go', 'water'],
    topics: [
      { path: 'Home', names: 'water heater|plumber', want: 'fix heater', words: 'pipe', not: '' },
      { path: 'Café', names: 'café', want: '', words: '', not: 'café racer' },
    ],
    spellings: new Map([
      ['plumber', 'plumbers'],
      ['water heater', 'water heaters'],
      ['fix heater', 'fixing heater'],
    ]),
    safety: '[theft]\nsteal bike/car',
  },
  ngrams,
  { words: ['water', 'pump'], vectors: new Int8Array(2 * VECTOR_SIZE).fill(-7) },
  {
    safety: { scales: { distress: SCALE, unsafe: SCALE, condolence: SCALE }, weights: Int8Array.of(1, -8) },
    kinds: { biases: [0.5], step: 0.1, weights: Int8Array.of(2, -3) },
  },
);
const file = packLexicon(compiled);

/** The error for a rejected file; empty if it is read. */
function getRejection(bytes: Uint8Array): string {
  try {
    unpackLexicon(bytes);
    return '';
  } catch (error) {
    return toError(error).message;
  }
}

describe('The lexicon file', () => {
  it('returns what was packed, at any offset in memory', () => {
    expect(unpackLexicon(file)).toEqual(compiled);
    const room = new Uint8Array(8 + file.length);
    room.set(file, 8);
    expect(unpackLexicon(room.subarray(8))).toEqual(compiled);
  });
  it('is read without copying its arrays', () => {
    expect(unpackLexicon(file).words.buffer).toBe(file.buffer);
  });
  it('is rejected if a byte is damaged', () => {
    const damaged = file.slice();
    const answers = new Set<string>();
    for (let at = 4; at < file.length; at++) {
      damaged[at]! ^= 0x10;
      answers.add(getRejection(damaged));
      damaged[at]! ^= 0x10;
    }
    expect([...answers]).toEqual([
      expect.stringContaining('is damaged. Run "npm run train -- lexicon" to rebuild it.'),
    ]);
  });
  it('is rejected if its end is missing', () => {
    for (const length of [12, 100, file.length - 1])
      expect(() => unpackLexicon(file.slice(0, length))).toThrow(
        'is damaged. Run "npm run train -- lexicon" to rebuild it.',
      );
  });
  it('is rejected if it has an older format or is not a lexicon', () => {
    const old = file.slice();
    old[0]! -= 1;
    for (const other of [old, new Uint8Array(), Buffer.from('{"version": "of old", "topics": []}')])
      expect(() => unpackLexicon(other)).toThrow('has another format. Run "npm run train -- lexicon" to rebuild it.');
  });
});
