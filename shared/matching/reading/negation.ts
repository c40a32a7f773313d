import type { Lexicon } from '../lexicon/lexicon.ts';
import type { Hit } from '../lexicon/phrases.ts';
import { START } from '../text/words.ts';
import type { Scratch } from './array-pool.ts';

/** What a word is to denials. */
export interface Denying {
  readonly stem: string;
  /** Its parts in them, as flags: see `denial`. */
  readonly denial: number;
}

/** How far a denial reaches within its clause. */
const REACH = 6;
/** Most words that a bare "no" takes back: "hotel? no", but not "i need a hotel. no, wait". */
const SHORT = 2;
/** How many words after a denial may ask for what it seems to deny: "without a hotel we are lost, find one". */
const AFTER = 12;

const DENIALS = new Set(
  'not no dont doesnt didnt never without isnt wasnt arent aint wont wouldnt cant hate except nor neither stop skip'.split(
    ' ',
  ),
);
/** After "not" and its like, only these make it a denial of what follows: "don't want hotels", but "can't find my hotel". */
const WISHES = new Set(
  'want need like look interest care into book buy go plan do about use recommend suggest send talk show stand'.split(
    ' ',
  ),
);
/** Deny what follows by themselves: "no hotels", "without pets", "I hate flying", "never flying again". */
const OUTRIGHT = new Set('no never without hate except nor neither'.split(' '));
/** Make the denial before them none: "not only", "no idea", "no longer far", "without a doubt", "don't forget". */
const UNDONE = new Set(
  'only just idea problem worry worri matter doubt forget hesit least more longer thank'.split(' '),
);
const INSTEAD = new Map([
  ['instead', 'of'],
  ['rather', 'than'],
  ['other', 'than'],
  ['anyth', 'but'],
  ['sick', 'of'],
]);

/** Make a denial of what stands before them: "hotels are not what i want", "breakfast not needed". */
const UNWANTED = new Set('what needed wanted'.split(' '));
/** Before "one", ask for what was said to be missing. */
const SEEKS = new Set('find need want book get buy recommend suggest'.split(' '));

/** The parts that a word can have in a denial, as flags. */
const [DENIAL, OUTRIGHT_DENIAL, WISH, UNDOING, INSTEAD_FIRST, BUT] = [1, 2, 4, 8, 16, 32] as const;
const [FORGET, YET, NO, NOT, BACK, ONE, SEEK, OPENING] = [64, 128, 256, 512, 1024, 2048, 4096, 8192] as const;
const BEGINS = DENIAL | INSTEAD_FIRST | FORGET | NO;

/** The parts that a word can have in denials; found once per word, not each time it is said. */
export function denial(said: string, stem: string): number {
  return (
    (DENIALS.has(said) ? DENIAL : 0) |
    (OUTRIGHT.has(said) ? OUTRIGHT_DENIAL : 0) |
    (WISHES.has(stem) ? WISH : 0) |
    (UNDONE.has(stem) ? UNDOING : 0) |
    (INSTEAD.has(stem) ? INSTEAD_FIRST : 0) |
    (said === 'but' ? BUT : 0) |
    (said === 'forget' ? FORGET : 0) |
    (said === 'yet' ? YET : 0) |
    (said === 'no' || said === 'nope' || said === 'nah' ? NO : 0) |
    (said === 'not' || said === 'isnt' || said === 'arent' ? NOT : 0) |
    (UNWANTED.has(said) ? BACK : 0) |
    (said === 'one' ? ONE : 0) |
    (SEEKS.has(stem) ? SEEK : 0) |
    (said === START ? OPENING : 0)
  );
}

/** Which words are denied ("not looking for hotels", "instead of a hotel"): 1 for each word in the reach of a denial. */
export function denied(entries: readonly Denying[], at: Int32Array, scratch: Scratch): Uint8Array {
  const flags = scratch.bytes(entries.length);
  for (let i = 0; i < entries.length; i++) {
    if ((entries[i]!.denial & BEGINS) === 0) continue;
    const back = denialStart(entries, at, i);
    if (back < i) flags.fill(1, back, i);
    const from = denialEnd(entries, at, i);
    if (from < 0 || isNeed(entries, at, i)) continue;
    for (let j = from; j < entries.length && at[j]! - at[i]! <= REACH && !(entries[j]!.denial & BUT); j++) {
      if (j > from && at[j]! - at[j - 1]! > 1) break;
      flags[j] = 1;
    }
  }
  return flags;
}

/** A denial that is part of how a need is said denies none of it: "no hot water", "hate ironing". */
export function allow(flags: Uint8Array, hits: readonly Hit[], entries: readonly Denying[], { own }: Lexicon): void {
  for (const { topic, from, to } of hits)
    for (let token = from; !own[topic] && token < to; token++)
      if (entries[token]!.denial & BEGINS) flags.fill(0, token, to + 1);
}

/** Index of the first word before a denial at `i` that it takes back; `i` when it takes back none. */
function denialStart(entries: readonly Denying[], at: Int32Array, i: number): number {
  const { denial } = entries[i]!;
  const next = adjacent(at, i) ? entries[i + 1]! : undefined;
  if (denial & NO) {
    const bare = next === undefined || next.stem === 'thank';
    if (!bare || i === 0 || adjacent(at, i - 1)) return i;
    const from = clauseStart(entries, at, i - 1, SHORT + 1);
    return i - from <= SHORT ? from : i;
  }
  // "not what you think" says nothing about hotels; "not what i want" does.
  if (!(denial & NOT && next && next.denial & BACK)) return i;
  if (next.stem === 'what' && !(i + 3 < entries.length && entries[i + 3]!.denial & WISH)) return i;
  return i > 0 && adjacent(at, i - 1) ? clauseStart(entries, at, i - 1, REACH) : i;
}

/** Index of the first word of the clause that ends at `last`, or of its last `most` words. */
function clauseStart(entries: readonly Denying[], at: Int32Array, last: number, most: number): number {
  let from = last;
  while (from > 0 && last - from + 1 < most && adjacent(at, from - 1) && !(entries[from - 1]!.denial & (OPENING | BUT)))
    from--;
  return entries[from]!.denial & OPENING ? from + 1 : from;
}

/** Whether what an outright denial at `i` says to be missing is needed for that: "no hotel yet", "without a hotel we are lost, find one". */
function isNeed(entries: readonly Denying[], at: Int32Array, i: number): boolean {
  if (!(entries[i]!.denial & OUTRIGHT_DENIAL)) return false;
  let clause = true;
  for (let j = i + 1; j < entries.length && j - i <= AFTER && !(entries[j]!.denial & OPENING); j++) {
    clause &&= adjacent(at, j - 1);
    if (clause && entries[j]!.denial & YET) return true;
    if (!(entries[j]!.denial & ONE)) continue;
    const [second, first] = [entries[j - 2]!.denial, entries[j - 1]!.denial];
    if ((first | second) & SEEK && !((first | second | (entries[j - 3]?.denial ?? 0)) & DENIAL)) return true;
  }
  return false;
}

/** Whether the word after one stands right behind it, with no comma between. */
const adjacent = (at: Int32Array, i: number): boolean => i + 1 < at.length && at[i + 1]! - at[i]! === 1;

/** Index of the first word that a denial beginning at `i` denies, or -1 when none begins there. */
function denialEnd(entries: readonly Denying[], at: Int32Array, i: number): number {
  if (!adjacent(at, i)) return -1;
  const { denial, stem } = entries[i]!;
  const next = entries[i + 1]!;
  if (denial & INSTEAD_FIRST && INSTEAD.get(stem) === next.stem) return i + 2;
  // "forget the hotel" begins a clause; "i always forget my passwords" is a need.
  if (denial & FORGET) return i > 0 && clauseStart(entries, at, i, 2) === i ? i + 1 : -1;
  if (denial & NO && next.stem === 'more') return adjacent(at, i + 1) && entries[i + 2]!.stem !== 'than' ? i + 2 : -1;
  if (!(denial & DENIAL) || next.denial & UNDOING) return -1;
  // "not a hotel": articles are gone, so that a bare "not" right before a noun denies it too.
  if (denial & OUTRIGHT_DENIAL) return i + 1;
  return next.denial & WISH ? i + 1 : -1;
}
