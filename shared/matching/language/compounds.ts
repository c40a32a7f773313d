/** Languages that write a noun and what it is for as one word. */
const COMPOUNDING = new Set(['da', 'de', 'ko', 'nl', 'no', 'sv']);
/** Least letters of a head that is looked for, and of what stands before it. */
const LEAST_HEAD = 4;
const LEAST_MODIFIER = 3;
/** In Korean, of either. */
const LEAST_SYLLABLES = 2;
/**
 * Heads that say only what somebody wants with the thing before them. Of other compounds the head is the thing: a coffee machine is a
 * machine, no coffee.
 */
const GENERIC_HEADS =
  /^(.{4,}?)(?:buchung|reservierung|empfehlung|bestellung|lieferung|suche|vergleich|angebot|preis|gutschein|ticket|karte|tipp|test|kauf|shop|laden|zimmer)(?:e|en|n|s)?$/;

/** Short ends of what is none of their kind: a hospital is no house, a motorway no railway. */
const NO_HEADS = new Set([
  'haus',
  'bahn',
  'zeit',
  'welt',
  'werk',
  'teil',
  'land',
  'hand',
  'mann',
  'frau',
  'kind',
  'heim',
  'hof',
]);

/**
 * What a compound may be asked for as, likelier first: its ends as stems, the longest first, or in German what stands before an end that
 * says nothing. `stemOf` gives the stem of a word.
 */
export function partsOf(word: string, language: string, stemOf: (word: string) => string): string[] {
  if (!COMPOUNDING.has(language)) return [];
  const modifier = language === 'de' ? GENERIC_HEADS.exec(word)?.[1] : undefined;
  const stem = stemOf(word);
  const found = modifier === undefined ? [] : [...new Set([stemOf(modifier), stemOf(modifier.replace(/[sn]$/, ''))])];
  const [modifierLength, headLength] =
    language === 'ko' ? [LEAST_SYLLABLES, LEAST_SYLLABLES] : [LEAST_MODIFIER, LEAST_HEAD];
  for (let from = modifierLength; stem.length - from >= headLength; from++) {
    const head = stem.slice(from);
    if (!NO_HEADS.has(head)) found.push(head);
  }
  return found;
}
