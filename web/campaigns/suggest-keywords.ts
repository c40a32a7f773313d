/** Words that say nothing of what is offered. */
const STOP = new Set(
  (
    'a about after all also an and any are as at be been before best but by can do each every first find for free from get give go has have ' +
    'how i if in into is it its just last like made make many more most my new no not now of off on one only or our out over own ' +
    'people per right same see so some such than that the their them then there these they this those to today too try under up us use ' +
    'very was we what when where which who why will with without you your ' +
    // What ads say of anything.
    'stays lasts keeps makes fits works helps gives needs returns start save shop buy order find see discover join visit ' +
    'minute minutes hour hours day days week weeks month months year years two three perfect great better ready'
  ).split(' '),
);

const WORD = /[\p{L}\p{N}][\p{L}\p{N}’'-]*/gu;
/** "Tents tested" and "packed" name nothing, as "used cars" does. */
const isDone = (word: string) => word.length > 5 && /[^e]ed$/.test(word);
const MOST = 12;

/** Phrases of the campaign's own texts that could be keywords: words that stand together first, then longer words alone. */
export function suggestKeywords(texts: readonly string[], have: readonly string[]): string[] {
  const known = new Set(have.map((keyword) => keyword.toLowerCase()));
  const pairs: string[] = [];
  const singles: string[] = [];
  // A sentence's end parts words as little as a stop word does.
  for (const clause of texts.flatMap((text) => text.toLowerCase().split(/[.,;:!?()\n–—]+/))) {
    const words = [...clause.matchAll(WORD)].map(([word]) => word);
    const isTelling = (word: string) => word.length > 2 && !STOP.has(word);
    words.forEach((word, index) => {
      if (!isTelling(word)) return;
      const next = words[index + 1];
      if (next && isTelling(next) && !isDone(next)) pairs.push(`${word} ${next}`);
      if (word.length > 4 && !isDone(word)) singles.push(word);
    });
  }
  return [...new Set([...pairs, ...singles])].filter((phrase) => !known.has(phrase)).slice(0, MOST);
}
