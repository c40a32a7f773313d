import { fold } from '../text/fold.ts';
import { MESSAGE_START } from '../text/words.ts';

const NEGATORS = new Set(
  'not no dont doesnt didnt never without isnt wasnt arent aint wont wouldnt cant hate except nor neither stop skip'.split(
    ' ',
  ),
);
/** Negate what follows: "no hotels", "without pets", "I hate flying", "never flying again". */
const DIRECT_NEGATORS = new Set('no never without hate except nor neither'.split(' '));
/** Verbs between another negator and the negated words: "don't want hotels", but not "can't find my hotel". */
const NEGATED_VERBS = new Set(
  'want need like look interest care into book buy go plan do about use recommend suggest send talk show stand'.split(
    ' ',
  ),
);
/** Cancel the negator before them: "not only", "no idea", "no longer far", "without a doubt", "don't forget". */
const CANCELLERS = new Set(
  'only just idea problem worry worri matter doubt forget hesit least more longer thank'.split(' '),
);
/** Two-word expressions that negate what follows: "instead of a hotel". */
const NEGATING_PAIRS = new Map([
  ['instead', 'of'],
  ['rather', 'than'],
  ['other', 'than'],
  ['anyth', 'but'],
  ['sick', 'of'],
]);
/** After "not", negate what precedes: "hotels are not what i want", "breakfast not needed". */
const REJECTIONS = new Set('what needed wanted'.split(' '));
/** Before "one", these ask for the thing that was said to be missing. */
const SEARCH_VERBS = new Set('find need want book get buy recommend suggest'.split(' '));

/**
 * In other languages, folded: direct negators ("kein Hotel", "sin hotel"), and a negator before a verb of needing ("non
 * voglio un hotel").
 */
const NON_ENGLISH_WORDS: Readonly<Record<string, { direct?: string; negator?: string; verbs?: string }>> = {
  de: { direct: 'kein keine keinen keinem keiner ohne' },
  nl: { direct: 'geen zonder' },
  sv: { direct: 'inget ingen inga utan' },
  da: { direct: 'intet ingen uden' },
  no: { direct: 'ingen intet uten' },
  fr: { direct: 'sans', negator: 'ne', verbs: 'veux voulons cherche cherchons' },
  es: { direct: 'sin', negator: 'no', verbs: 'necesito necesitamos quiero queremos busco buscamos' },
  pt: { direct: 'sem', negator: 'nao', verbs: 'preciso precisamos quero queremos procuro' },
  it: { direct: 'senza', negator: 'non', verbs: 'voglio vogliamo cerco cerchiamo serve' },
  pl: { direct: 'bez', negator: 'nie', verbs: 'potrzebuje potrzebujemy chce chcemy szukam szukamy' },
  ru: { direct: 'без', negator: 'не', verbs: 'нужен нужна нужно нужны хочу хотим ищу' },
  uk: { direct: 'без', negator: 'не', verbs: 'потрібен потрібна потрібно потрібні хочу хочемо шукаю' },
};
/** By language, a verb of needing after its negator: "no necesito". */
export const NEGATED_WISH: ReadonlyMap<string, RegExp> = new Map(
  Object.entries(NON_ENGLISH_WORDS).flatMap(([language, { negator, verbs = '' }]) =>
    negator ? [[language, new RegExp(`(?<!\\p{L})${negator} (?:${verbs.replaceAll(' ', '|')})(?!\\p{L})`, 'gu')]] : [],
  ),
);
/** By language, its words and their roles. */
const NON_ENGLISH_ROLES = new Map<string, Map<string, number>>();

/** The roles of a word in negations, as flags. */
export const [NEGATOR, DIRECT_NEGATOR, NEGATED_VERB, CANCELLER, PAIR_FIRST, BUT, FORGET] = [
  1, 2, 4, 8, 16, 32, 64,
] as const;
export const [YET, NO, IS_NOT, REJECTION, ONE, SEARCH_VERB, START] = [128, 256, 512, 1024, 2048, 4096, 8192] as const;

for (const [language, { direct = '', negator = '', verbs = '' }] of Object.entries(NON_ENGLISH_WORDS)) {
  const roles = new Map<string, number>();
  for (const [list, role] of [
    [direct, NEGATOR | DIRECT_NEGATOR],
    [negator, NEGATOR],
    [verbs, NEGATED_VERB],
  ] as const)
    for (const word of list.split(' ')) if (word) roles.set(fold(word), role);
  NON_ENGLISH_ROLES.set(language, roles);
}

/** The negation roles of a folded word in a language other than English. */
export const getNonEnglishNegationRoles = (language: string | undefined, word: string): number | undefined =>
  language === undefined ? undefined : NON_ENGLISH_ROLES.get(language)?.get(word);

/** Roles that may begin a negation. */
export const CUES = NEGATOR | PAIR_FIRST | FORGET | NO;

/** The negation roles of an English word. Computed once per cached word. */
export function getNegationRoles(text: string, stem: string): number {
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

/** Whether two adjacent stems are an expression that negates what follows. */
export const isNegatingPair = (first: string, second: string): boolean => NEGATING_PAIRS.get(first) === second;
