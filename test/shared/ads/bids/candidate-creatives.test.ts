import { expect, it } from 'vitest';
import { createCandidateCreatives } from '../../../../shared/ads/bids/candidate-creatives.ts';
import { toBiddable } from '../../../../shared/campaigns/biddable.ts';
import type { Database } from '../../../../shared/platform/database.ts';
import { createBudgetService } from '../../../memory/service.ts';

it('reads a candidate’s creative once for each version of its campaign', async () => {
  const { effects, campaign, db } = createBudgetService('candidate creatives');
  const candidate = toBiddable(await campaign());
  let reads = 0;
  const get: Database['get'] = (table, key) => {
    reads++;
    return db.get(table, key);
  };
  const creativeOf = createCandidateCreatives({ ...effects, db: { ...db, get } });
  const shown = await creativeOf(candidate);
  expect(shown).toMatchObject({ creative: { landingUrl: expect.stringContaining(candidate.domain) } });
  expect(await creativeOf(candidate)).toEqual(shown);
  expect(reads).toBe(1);
  await creativeOf({ ...candidate, version: candidate.version + 1 });
  expect(reads).toBe(2);
});
