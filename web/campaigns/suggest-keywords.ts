/** Stop words, which say nothing about the product. */
const STOP = new Set(
  (
    'a about after all also an and any are as at be been before best but by can do each every first find for free from get give go has have ' +
    'how i if in into is it its just last like made make many more most my new no not now of off on one only or our out over own ' +
    'people per right same see so some such than that the their them then there these they this those to today too try under up us use ' +
    'very was we what when where which who why will with without you your ' +
    // Words that are common in all ads.
    'stays lasts keeps makes fits works helps gives needs returns start save shop buy order find see discover join visit ' +
    'minute minutes hour hours day days week weeks month months year years two three perfect great better ready'
  ).split(' '),
);

const WORD = /[\p{L}\p{N}][\p{L}\p{N}’'-]*/gu;
/** A participle ("tents tested", "packed") names nothing. Short ones are kept, as in "used cars". */
const isParticiple = (word: string) => word.length > 5 && /[^e]ed$/.test(word);
const MAX_SUGGESTIONS = 12;

/** Suggests keywords from the campaign's texts: pairs of adjacent words first, then long single words. */
export function suggestKeywords(texts: readonly string[], have: readonly string[]): string[] {
  const known = new Set(have.map((keyword) => keyword.toLowerCase()));
  const pairs: string[] = [];
  const singles: string[] = [];
  // A pair never spans a stop word or the end of a clause.
  for (const clause of texts.flatMap((text) => text.toLowerCase().split(/[.,;:!?()\n–—]+/))) {
    const words = [...clause.matchAll(WORD)].map(([word]) => word);
    const isMeaningful = (word: string) => word.length > 2 && !STOP.has(word);
    words.forEach((word, index) => {
      if (!isMeaningful(word)) return;
      const next = words[index + 1];
      if (next && isMeaningful(next) && !isParticiple(next)) pairs.push(`${word} ${next}`);
      if (word.length > 4 && !isParticiple(word)) singles.push(word);
    });
  }
  return [...new Set([...pairs, ...singles])].filter((phrase) => !known.has(phrase)).slice(0, MAX_SUGGESTIONS);
}
