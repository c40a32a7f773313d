import { expect, it } from 'vitest';
import { SlotTable } from '../../../../shared/matching/inventory/campaign-slots.ts';
import { PostingLists } from '../../../../shared/matching/inventory/posting-lists.ts';
import { generator } from '../../../../tools/random.ts';

it('lists every campaign that was inserted and not removed, by descending ceiling', () => {
  const random = generator(7);
  const pick = (count: number) => Math.floor(random() * count);
  const slotTable = new SlotTable();
  const lists = new PostingLists();
  const model = Array.from({ length: 300 }, () => new Set<number>());
  for (let slot = 0; slot < 100; slot++) slotTable.setCeiling(slot, pick(9));
  const inOrder = (slots: Set<number>) =>
    [...slots].sort((a, b) => slotTable.ceiling(b) - slotTable.ceiling(a) || a - b);
  for (let step = 0; step < 60_000; step++) {
    const list = pick(300);
    const slot = pick(list % 3 === 0 ? 100 : 3); // some lists grow long, others change between zero and three entries
    const members = model[list]!;
    if (members.delete(slot)) lists.remove(list, slot, slotTable);
    else {
      members.add(slot);
      lists.insert(list, slot, slotTable, { length: 1, evidence: 1, keywords: 1 });
    }
    if (step % 20 > 0) continue;
    const postings = lists.get(list);
    expect([lists.size(list), postings.length]).toEqual([members.size, members.size]);
    expect(Array.from({ length: postings.length }, (_, at) => postings.slotAt(at))).toEqual(inOrder(members));
  }
});
