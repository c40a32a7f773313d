import { expect, test } from 'vitest';
import { CHOICES, templateOf } from './template.ts';

// A change of infrastructure shows in review as a change of these files; `npx vitest run test/infra -u` writes them.
test.each(['dev', 'prod'] as const)('the template of %s is the one that was reviewed', async (stage) => {
  const template = JSON.stringify(templateOf(CHOICES[stage]).toJSON(), null, 2);
  await expect(`${template}\n`).toMatchFileSnapshot(`__snapshots__/${stage}.template.json`);
});
