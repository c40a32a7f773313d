import { fingerprint, fingerprintsOfEnds } from '../text/fingerprint.ts';

/** Languages that write a noun and what it is for as one word. */
const COMPOUNDING = new Set(['da', 'de', 'ko', 'nl', 'no', 'sv']);
/** Least letters of a head that is looked for, and of what stands before it. */
const LEAST_HEAD = 4;
const LEAST_MODIFIER = 3;
/** In Korean, of either. */
const LEAST_SYLLABLES = 2;
const NO_PARTS: readonly number[] = [];
/**
 * Heads that say only what somebody wants with the thing before them. Of other compounds the head is the thing: a coffee machine is a
 * machine, no coffee.
 */
const GENERIC_HEADS =
  /^(.{4,}?)(?:buchung|reservierung|empfehlung|bestellung|lieferung|suche|vergleich|angebot|preis|gutschein|ticket|karte|tipp|test|kauf|shop|laden|zimmer)(?:e|en|n|s)?$/;

/** Ends that are too short to be the thing itself: a railway is no path, a hospital no house. */
const NO_HEADS = new Set('haus bahn zeit welt werk teil land hand mann frau kind heim'.split(' '));

/**
 * Fingerprints of what else a compound may be asked for as, likelier first: in German what stands before an end that says nothing, then
 * its ends, the longest first. A word has as many ends as letters: none of them is made a string.
 *
 * @param stem of the word
 * @param stemOf gives the stem of another
 */
export function compoundParts(
  word: string,
  stem: string,
  language: string,
  stemOf: (word: string) => string,
): readonly number[] {
  if (!COMPOUNDING.has(language)) return NO_PARTS;
  const [modifierLength, headLength] =
    language === 'ko' ? [LEAST_SYLLABLES, LEAST_SYLLABLES] : [LEAST_MODIFIER, LEAST_HEAD];
  const heads = fingerprintsOfEnds(stem, headLength, stem.length - modifierLength);
  if (heads.length > 0 && NO_HEADS.has(stem.slice(-headLength))) heads.pop();
  const modifier = language === 'de' ? GENERIC_HEADS.exec(word)?.[1] : undefined;
  if (modifier === undefined) return heads;
  return [fingerprint(stemOf(modifier)), fingerprint(stemOf(modifier.replace(/[sn]$/, ''))), ...heads];
}
