import { expect, test } from 'vitest';
import { templateOf } from './template.ts';

// A change of infrastructure shows in review as a change of these files; `npx vitest run test/infra -u` writes them.
test.each(['dev', 'prod'])('the template of %s is the one that was reviewed', async (stage) => {
  const template = JSON.stringify(templateOf({ stage }).toJSON(), null, 2);
  await expect(`${template}\n`).toMatchFileSnapshot(`__snapshots__/${stage}.template.json`);
});
