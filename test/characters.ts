import fc, { type Arbitrary } from 'fast-check';

const SURROGATES = { from: 0xd800, count: 0x800 };

const character = fc.nat({ max: 0x10ffff - SURROGATES.count }).map(
  (place) => String.fromCodePoint(place < SURROGATES.from ? place : place + SURROGATES.count),
  (text) => {
    const code = typeof text === 'string' && text.isWellFormed() ? text.codePointAt(0) : undefined;
    if (code === undefined || String.fromCodePoint(code) !== text) throw new TypeError('it is not one character');
    return code < SURROGATES.from ? code : code - SURROGATES.count;
  },
);

/** Strings of any characters. Same as fast-check's unit `binary`, which takes a second to list the characters. */
export const unicodeStrings = (maxLength?: number): Arbitrary<string> => fc.string({ unit: character, maxLength });
