import { expect, it } from 'vitest';
import { toClickId, toImpressionId } from '../../../../shared/ads/bids/bid.ts';
import { keyFingerprint } from '../../../../shared/keys/credential.ts';
import { toPublisherId } from '../../../../shared/keys/publisher-id.ts';
import { derivedId, systemIds } from '../../../../shared/platform/ids.ts';
import { type IdKind, idKinds, isId } from '../../../../shared/platform/values/ids.ts';
import { createEventId } from '../../../../shared/webhooks/events/event-id.ts';

const MADE: Record<IdKind, string> = {
  campaign: systemIds.ordered('campaign'),
  webhook: systemIds.ordered('webhook'),
  conversion: systemIds.ordered('conversion'),
  snapshot: systemIds.ordered('snapshot'),
  event: createEventId('ad.click', 'a bid', Date.UTC(2026, 10, 22)),
  activity: derivedId('activity', 'cmp_a 2', Date.UTC(2026, 10, 22)),
  apiKey: keyFingerprint('a key'),
  click: toClickId(systemIds.uuid()),
  impression: toImpressionId(systemIds.uuid()),
  publisher: toPublisherId('secret', 'advertiser', 'key_1'),
};

it.each(Object.entries(MADE))('An id of the kind %s has its shape, and no other kind has', (made, id) => {
  const kinds: string[] = [];
  for (const kind of [
    'campaign',
    'webhook',
    'conversion',
    'snapshot',
    'event',
    'activity',
    'apiKey',
    'click',
    'impression',
    'publisher',
  ] as const)
    if (isId(kind, id)) kinds.push(kind);
  expect(kinds).toEqual([made]);
});

it('The prefixes of ids never change', () => {
  const prefixes = Object.entries(idKinds).map(([kind, { prefix }]) => [kind, prefix]);
  expect(Object.fromEntries(prefixes)).toEqual({
    campaign: 'cmp',
    webhook: 'wh',
    conversion: 'cnv',
    snapshot: 'gen',
    event: 'evt',
    activity: 'act',
    apiKey: 'key',
    click: 'clk',
    impression: 'imp',
    publisher: 'pub',
  });
});
