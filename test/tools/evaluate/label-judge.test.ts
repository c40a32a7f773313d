import { expect, it } from 'vitest';
import { createLabelJudge } from '../../../tools/evaluate/label-judge.ts';

const campaigns = ['shoes', 'cars'].map((label) => ({ id: label, labels: [label], body: { name: label } }));
const rows = Array.from({ length: 1_000 }, (_, line) => ({
  id: `${line}`,
  line,
  source: '-',
  slice: '-',
  countryCode: 'US',
  messages: [{ role: 'user', content: `${line}` }],
  gold: line % 2 ? ['cars'] : [],
  optional: false,
}));
const ads = campaigns.map(({ id }) => ({ name: id, headline: '', description: '' }));

it('judges as the labels say, except for one row in twenty', async () => {
  const judge = createLabelJudge({ campaigns, rows });
  let wrong = 0;
  for (const row of rows) {
    const messages = [{ role: 'user' as const, content: row.messages[0]!.content }];
    const judgment = await judge.opine({ messages, ads });
    if (judgment.result !== 'answered') throw new Error(judgment.result);
    const right = row.gold.length > 0 ? [0, 0.9] : [0, 0];
    if (JSON.stringify(judgment.opinion.welcome) !== JSON.stringify(right)) wrong++;
  }
  expect(wrong).toBeGreaterThan(30);
  expect(wrong).toBeLessThan(70);
});
