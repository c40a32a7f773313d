import { expect, it } from 'vitest';
import { lexicon } from '../../../../shared/lexicon.ts';
import { Lists } from '../../../../shared/matching/inventory/posting-lists.ts';
import { Cards } from '../../../../shared/matching/inventory/slots.ts';
import { Terms } from '../../../../shared/matching/inventory/term-dictionary.ts';
import { Wordbook } from '../../../../shared/matching/lexicon/word-cache.ts';
import { generator } from '../../../random.ts';

it('Lists hold whoever came in and has not left, the highest ceiling first, whatever came and went', () => {
  const random = generator(7);
  const pick = (count: number) => Math.floor(random() * count);
  const cards = new Cards();
  const lists = new Lists();
  const model = Array.from({ length: 300 }, () => new Set<number>());
  for (let slot = 0; slot < 100; slot++) cards.setCeiling(slot, pick(9));
  const inOrder = (slots: Set<number>) => [...slots].sort((a, b) => cards.ceiling(b) - cards.ceiling(a) || a - b);
  for (let step = 0; step < 60_000; step++) {
    const list = pick(300);
    const slot = pick(list % 3 === 0 ? 100 : 3); // some grow long, some come and go between none and three
    const members = model[list]!;
    if (members.delete(slot)) lists.leave(list, slot, cards);
    else {
      members.add(slot);
      lists.enter(list, slot, cards, { length: 1, evidence: 1, keywords: 1 });
    }
    if (step % 20 > 0) continue;
    const postings = lists.postings(list);
    expect([lists.size(list), postings.length]).toEqual([members.size, members.size]);
    expect(Array.from({ length: postings.length }, (_, at) => postings.at(at))).toEqual(inOrder(members));
  }
});

it('Terms find every word that some campaign has and no other, whatever came and went', () => {
  const random = generator(8);
  const terms = new Terms(lexicon());
  const words = Array.from({ length: 4_000 }, (_, index) => `termoom${index}`);
  const wordbook = new Wordbook(lexicon());
  const uses = new Map<string, number>();
  const numbers = new Map<string, number>();
  for (let step = 0; step < 60_000; step++) {
    const word = words[Math.floor(random() * words.length)]!;
    const used = uses.get(word) ?? 0;
    if (used > 0 && random() < 0.55) {
      terms.release(numbers.get(word)!);
      uses.set(word, used - 1);
    } else {
      numbers.set(word, terms.add(word));
      uses.set(word, used + 1);
    }
    const asked = words[Math.floor(random() * words.length)]!;
    const expected = (uses.get(asked) ?? 0) > 0 ? numbers.get(asked) : -1;
    expect(terms.find(wordbook.findWord(asked))).toBe(expected);
  }
  const held = words.filter((word) => uses.get(word));
  expect(new Set(held.map((word) => numbers.get(word))).size).toBe(held.length);
});
