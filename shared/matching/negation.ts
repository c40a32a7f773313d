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

/** Which words are denied ("not looking for hotels", "instead of a hotel"): 1 for each word in the reach of a denial. */
export function denied(stems: readonly string[], said: readonly string[], at: ArrayLike<number>): Uint8Array {
  const flags = new Uint8Array(stems.length);
  for (let i = 0; i < stems.length; i++) {
    const from = denialEnd(stems, said, at, i);
    if (from < 0) continue;
    for (let j = from; j < stems.length && at[j]! - at[i]! <= REACH && said[j] !== 'but'; j++) {
      if (j > from && at[j]! - at[j - 1]! > 1) break;
      flags[j] = 1;
    }
  }
  return flags;
}

/** Index of the first word that a denial beginning at `i` denies, or -1 when none begins there. */
function denialEnd(stems: readonly string[], said: readonly string[], at: ArrayLike<number>, i: number): number {
  const adjacent = i + 1 < stems.length && at[i + 1]! - at[i]! === 1;
  if (!adjacent) return -1;
  const next = stems[i + 1]!;
  if (INSTEAD.get(stems[i]!) === next) return i + 2;
  if (!DENIALS.has(said[i]!) || UNDONE.has(next)) return -1;
  // "not a hotel": articles are gone, so that a bare "not" right before a noun denies it too.
  if (OUTRIGHT.has(said[i]!)) return i + 1;
  return WISHES.has(next) ? i + 1 : -1;
}
