import { expect, it } from 'vitest';
import { fromCampaignItem, isCampaign, toCampaignItem } from '../../../shared/campaigns/items.ts';
import { storedCampaign } from '../../sample-records.ts';

it('stores a matching profile as `placement`, its original name, and reads it from there', () => {
  const profile = { v: '1', k: 'boot', x: '', t: [3], l: 'en', n: -1, w: '' };
  const campaign = storedCampaign({ profile });
  const item = toCampaignItem(campaign);
  expect(item).toMatchObject({ placement: profile });
  expect(item).not.toHaveProperty('profile');
  expect(isCampaign(item) && fromCampaignItem(item).profile).toEqual(profile);
});
