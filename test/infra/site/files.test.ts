import { expect, test } from 'vitest';
import { demoCampaigns } from '../../../infra/local/demo-campaigns.ts';
import { siteFiles } from '../../../infra/site/files.ts';
import { createSite } from '../../../infra/site/serve.ts';

test('every ad of the demo has a picture of its own, which the site itself serves', async () => {
  const site = createSite(await siteFiles({ demo: null, signIn: null }));
  const pictures = demoCampaigns('/assets').map(({ creative }) => creative!.imageUrl!);
  expect(new Set(pictures).size).toBe(pictures.length);
  for (const path of pictures) {
    const answer = site({ path, header: () => undefined });
    expect(answer).toMatchObject({ statusCode: 200, headers: { 'content-type': 'image/svg+xml' } });
  }
});
