/**
 * How people ask in English. Each line has whole phrases in lowercase, separated by "|". They are regular expressions
 * with two more signs: "*" matches any ending ("invent*"), and "_" any one word. The phrases of a line that begins with
 * "^" count only at the start of a sentence.
 */
export interface EnglishWords {
  /** A wish, a need, or a question about how to meet one. */
  wish: readonly string[];
  /** Questions in a shop, or requests for recommendations. */
  buy: readonly string[];
  /** Questions for an encyclopedia: who did what, when. */
  fact: readonly string[];
  /** Things that the user already likes. */
  fond: readonly string[];
  /** Things that the user already has, or stores in a device. */
  owned: readonly string[];
  /** What people tell customer support about an order or an account. */
  supportCase: readonly string[];
  /** Actions on something the user already has: an order, an account, a device, a list. "ing" may follow. */
  chore: readonly string[];
  /** Things to be made for the user: sums, texts, lists. */
  task: readonly string[];
  /** Words directly before a chore or a task: "please cancel". */
  beforeCommand: readonly string[];
  /** A question about how to do a chore, which may be answered with a product. */
  howTo: readonly string[];
  /** Tasks that are also sold as products. */
  plan: readonly string[];
  /** Things to count or to work out. */
  count: readonly string[];
  /** The end of a wish: thanks, farewells, refusals, and a purchase already made. */
  done: readonly string[];
  /** Words with which the end of a wish may begin: "ok, thanks, bye". */
  beforeDone: readonly string[];
  /** Words that show that a wish has not ended: "I bought one but". */
  afterDone: readonly string[];
  /** A wish for something else instead. */
  another: readonly string[];
}

export type EnglishPatterns = Record<Exclude<keyof EnglishWords, 'beforeCommand' | 'beforeDone' | 'afterDone'>, RegExp>;

/** The patterns that find the words in a message in lowercase. */
export function compileEnglishPatterns(words: EnglishWords): EnglishPatterns {
  const command = `(?:^|[.!?,;:\\n] *|\\b${toGroup(words.beforeCommand)} )`;
  const ending = `\\b(?! ${toGroup(words.afterDone)}\\b)`;
  return {
    wish: toPattern(words.wish),
    buy: toPattern(words.buy),
    fact: toPattern(words.fact),
    fond: toPattern(words.fond),
    owned: toPattern(words.owned),
    supportCase: toPattern(words.supportCase),
    chore: new RegExp(`${command}${toGroup(words.chore)}(?:ing)?\\b`),
    task: new RegExp(`${command}${toGroup(words.task)}\\b`),
    howTo: toPattern(words.howTo),
    plan: toPattern(words.plan),
    count: toPattern(words.count),
    done: new RegExp(`^(?:${toGroup(words.beforeDone)},? )*${toGroup(words.done)}${ending}`),
    another: toPattern(words.another),
  };
}

/** Finds whole phrases, anywhere or at the start. */
function toPattern(lines: readonly string[]): RegExp {
  const starts = lines.filter((line) => line.startsWith('^')).map((line) => line.slice(1));
  const anywhere = lines.filter((line) => !line.startsWith('^'));
  const sources = [
    ...(anywhere.length > 0 ? [`\\b${toGroup(anywhere)}\\b`] : []),
    ...(starts.length > 0 ? [`^${toGroup(starts)}\\b`] : []),
  ];
  return new RegExp(sources.join('|'));
}

/** Matches the star in "invent*", but not in ".*". */
const ANY_ENDING = /(?<![.)\]])\*/g;

/** One group of all phrases. It captures, since V8 takes twice as long to compile large groups that do not. */
const toGroup = (lines: readonly string[]): string =>
  `(${lines.join('|')})`.replace(ANY_ENDING, '\\w*').replaceAll('_', '\\S+');
