import { MESSAGE_START } from '../text/words.ts';

const NEGATORS = new Set(
  'not no dont doesnt didnt never without isnt wasnt arent aint wont wouldnt cant hate except nor neither stop skip'.split(
    ' ',
  ),
);
/** Negate what follows by themselves: "no hotels", "without pets", "I hate flying", "never flying again". */
const DIRECT_NEGATORS = new Set('no never without hate except nor neither'.split(' '));
/** After another negator, only these make it a negation of what follows: "don't want hotels", but "can't find my hotel". */
const NEGATED_VERBS = new Set(
  'want need like look interest care into book buy go plan do about use recommend suggest send talk show stand'.split(
    ' ',
  ),
);
/** Cancel the negator before them: "not only", "no idea", "no longer far", "without a doubt", "don't forget". */
const CANCELLERS = new Set(
  'only just idea problem worry worri matter doubt forget hesit least more longer thank'.split(' '),
);
/** Expressions of two words that negate what follows: "instead of a hotel". */
const NEGATING_PAIRS = new Map([
  ['instead', 'of'],
  ['rather', 'than'],
  ['other', 'than'],
  ['anyth', 'but'],
  ['sick', 'of'],
]);
/** After "not", negate what stands before it: "hotels are not what i want", "breakfast not needed". */
const REJECTIONS = new Set('what needed wanted'.split(' '));
/** Before "one", ask for what was said to be missing. */
const SEARCH_VERBS = new Set('find need want book get buy recommend suggest'.split(' '));

/** The roles that a word can have in a negation, as flags. */
export const [NEGATOR, DIRECT_NEGATOR, NEGATED_VERB, CANCELLER, PAIR_FIRST, BUT, FORGET] = [
  1, 2, 4, 8, 16, 32, 64,
] as const;
export const [YET, NO, IS_NOT, REJECTION, ONE, SEARCH_VERB, START] = [128, 256, 512, 1024, 2048, 4096, 8192] as const;

/** Words that may begin a negation. */
export const CUES = NEGATOR | PAIR_FIRST | FORGET | NO;

/** The roles that a word can have in negations; looked up once per word, not each time it is said. */
export function negationRolesOf(text: string, stem: string): number {
  return (
    (NEGATORS.has(text) ? NEGATOR : 0) |
    (DIRECT_NEGATORS.has(text) ? DIRECT_NEGATOR : 0) |
    (NEGATED_VERBS.has(stem) ? NEGATED_VERB : 0) |
    (CANCELLERS.has(stem) ? CANCELLER : 0) |
    (NEGATING_PAIRS.has(stem) ? PAIR_FIRST : 0) |
    (text === 'but' ? BUT : 0) |
    (text === 'forget' ? FORGET : 0) |
    (text === 'yet' ? YET : 0) |
    (text === 'no' || text === 'nope' || text === 'nah' ? NO : 0) |
    (text === 'not' || text === 'isnt' || text === 'arent' ? IS_NOT : 0) |
    (REJECTIONS.has(text) ? REJECTION : 0) |
    (text === 'one' ? ONE : 0) |
    (SEARCH_VERBS.has(stem) ? SEARCH_VERB : 0) |
    (text === MESSAGE_START ? START : 0)
  );
}

/** Whether two stems, one behind the other, are an expression that negates what follows. */
export const isNegatingPair = (first: string, second: string): boolean => NEGATING_PAIRS.get(first) === second;
