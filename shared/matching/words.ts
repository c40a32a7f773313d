import { stemmer } from 'stemmer';

const WORD = /[\p{L}\p{N}]+(?:['’][\p{L}]+)*/gu;
const ASCII = /^[a-z]+$/;

/** Words too common to say anything about a topic. */
const STOP = new Set(
  (
    'a an and are as at be been but by can could did do does for from get got had has have he her here him his how i if in into is it its ' +
    'just let like me more most my need no not now of on one or our out please she should so some than thank thanks that the their them then ' +
    'there these they this to too up us want was we were what when where which who why will with would yes you your'
  ).split(' '),
);

/** The form in which words are compared: case and accents folded, English inflections stemmed (Porter 1980). */
export function stem(word: string): string {
  const folded = word
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’].*$/, '');
  return ASCII.test(folded) ? stemmer(folded) : folded;
}

/** The stems of a text in order; common words stand as empty strings, so that distances stay true. */
export const stems = (text: string): string[] =>
  (text.match(WORD) ?? []).map((word) => (STOP.has(word.toLowerCase()) ? '' : stem(word)));
