/** What remains of a word without the first ending of a list that it has, as long as enough of it remains. */
function withoutEnding(word: string, endings: readonly string[], least: number): string {
  const ending = endings.find((one) => word.length - one.length >= least && word.endsWith(one));
  return ending === undefined ? word : word.slice(0, -ending.length);
}

/** Longest first. */
const longestFirst = (list: string): string[] => list.split(' ').sort((one, other) => other.length - one.length);

/** Korean writes particles to nouns. What looks like one in a noun goes everywhere alike. */
const KOREAN_PARTICLES = longestFirst(
  '은 는 이 가 을 를 에 의 와 과 도 만 로 으로 에서 에게 한테 께 까지 부터 보다 처럼 마다 이나 나 이랑 랑 하고 이라도 라도 에는 에도 에서는 으로는 들',
);
const LEAST_SYLLABLES = 2;

/** Without its particles, of which one may follow the other. */
export function stemKorean(word: string): string {
  const rest = withoutEnding(word, KOREAN_PARTICLES, LEAST_SYLLABLES);
  return rest === word ? word : stemKorean(rest);
}

/** Endings of Polish nouns and adjectives; no Snowball stemmer of it is on npm. */
const POLISH_ENDINGS = longestFirst(
  'ami ach owi om ów ego emu ymi imi ych ich iego iemu ie em iem ą ę y i e a u o ej iej',
);
const LEAST_LETTERS = 3;

/** Without one ending: a second would be part of the word. */
export const stemPolish = (word: string): string => withoutEnding(word, POLISH_ENDINGS, LEAST_LETTERS);
