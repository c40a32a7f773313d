import type { Desk } from './desk.ts';
import type { Lexicon } from './lexicon.ts';
import type { Hit } from './phrases.ts';

/** What a word is to denials. */
export interface Denying {
  readonly stem: string;
  /** Its parts in them, as flags: see `denial`. */
  readonly denial: number;
}

/** How far a denial reaches within its clause. */
const REACH = 6;

const DENIALS = new Set(
  'not no dont doesnt didnt never without isnt wasnt wont cant hate except nor neither stop skip'.split(' '),
);
/** After "not" and its like, only these make it a denial of what follows: "don't want hotels", but "can't find my hotel". */
const WISHES = new Set(
  'want need like look interest care into book buy go plan do about use recommend suggest send talk show'.split(' '),
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

/** The parts that a word can have in a denial, as flags. */
const [DENIAL, OUTRIGHT_DENIAL, WISH, UNDOING, INSTEAD_FIRST, BUT] = [1, 2, 4, 8, 16, 32] as const;
const BEGINS = DENIAL | INSTEAD_FIRST;

/** The parts that a word can have in denials; found once per word, not each time it is said. */
export function denial(said: string, stem: string): number {
  return (
    (DENIALS.has(said) ? DENIAL : 0) |
    (OUTRIGHT.has(said) ? OUTRIGHT_DENIAL : 0) |
    (WISHES.has(stem) ? WISH : 0) |
    (UNDONE.has(stem) ? UNDOING : 0) |
    (INSTEAD.has(stem) ? INSTEAD_FIRST : 0) |
    (said === 'but' ? BUT : 0)
  );
}

/** Which words are denied ("not looking for hotels", "instead of a hotel"): 1 for each word in the reach of a denial. */
export function denied(entries: readonly Denying[], at: Int32Array, desk: Desk): Uint8Array {
  const flags = desk.bytes(entries.length);
  for (let i = 0; i < entries.length; i++) {
    if ((entries[i]!.denial & BEGINS) === 0) continue;
    const from = denialEnd(entries, at, i);
    if (from < 0) continue;
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

/** Index of the first word that a denial beginning at `i` denies, or -1 when none begins there. */
function denialEnd(entries: readonly Denying[], at: Int32Array, i: number): number {
  const adjacent = i + 1 < entries.length && at[i + 1]! - at[i]! === 1;
  if (!adjacent) return -1;
  const { denial, stem } = entries[i]!;
  const next = entries[i + 1]!;
  if (denial & INSTEAD_FIRST && INSTEAD.get(stem) === next.stem) return i + 2;
  if (!(denial & DENIAL) || next.denial & UNDOING) return -1;
  // "not a hotel": articles are gone, so that a bare "not" right before a noun denies it too.
  if (denial & OUTRIGHT_DENIAL) return i + 1;
  return next.denial & WISH ? i + 1 : -1;
}
