import { expect, it, onTestFinished } from 'vitest';
import { useServiceInMemory } from '../../memory/stack.ts';
import { loadPrebid } from './prebid.ts';

// @module-tag whole
const service = useServiceInMemory();

it('Prebid.js sends requests that are accepted, including its own asset names, and reads the bids', async () => {
  const { ortbConverter, toOrtbNativeRequest, toLegacyResponse, close } = await loadPrebid();
  onTestFinished(close);
  const creative = {
    headline: 'A zither for every hand',
    description: 'Made of spruce and maple.',
    callToAction: 'Choose yours',
    landingUrl: 'https://www.strings.example/zithers',
    imageUrl: 'https://strings.example/z.jpg',
    sponsoredBy: 'Strings',
  };
  await service.campaign({ targetAudience: { keywords: ['zither'] }, creative });
  const converter = ortbConverter({ context: { netRevenue: true, ttl: 60 } });
  const nativeOrtbRequest = toOrtbNativeRequest({
    title: { required: true, len: 80 },
    body: { required: true },
    cta: {},
    sponsoredBy: { required: true },
    image: { required: true, sizes: [300, 250] },
    icon: { sizes: [50, 50] },
    privacyLink: {},
  });
  const messages = [{ role: 'user', content: 'Where do I buy a zither?' }];
  const adUnitRequest = {
    bidId: '2f3',
    bidder: 'ours',
    adUnitCode: 'chat',
    transactionId: 't',
    mediaTypes: { native: {} },
    nativeOrtbRequest,
    ortb2Imp: { bidfloor: 0.5, bidfloorcur: 'USD', ext: { gpid: '/chat', conversation: { messages } } },
  };
  const ortb2 = {
    site: { domain: 'chat.example', page: 'https://chat.example/', content: { language: 'en' } },
    device: { w: 1, h: 1, ua: 'Mozilla/5.0', geo: { country: 'USA' }, sua: { source: 1 } },
    regs: { gdpr: 0, us_privacy: '1YNN', ext: { gpc: '1', dsa: { dsarequired: 0 } } },
    user: { ext: { eids: [{ source: 'a.example', uids: [{ id: '1' }] }] } },
    source: { ext: { schain: { ver: '1.0', complete: 1, nodes: [] } } },
    bcat: ['IAB7-39'],
    badv: ['drums.example'],
    ext: { prebid: { adServerCurrency: 'USD' } },
  };
  const request = converter.toORTB({
    bidRequests: [adUnitRequest, { ...adUnitRequest, bidId: '2f4', ortb2Imp: {} }],
    bidderRequest: { bidderRequestId: '1', timeout: 1_000, bids: [], ortb2 },
  });
  expect(request.imp.map(({ id }) => id)).toEqual(['2f3', '2f4']);

  const { status, body } = await service.call('POST', '/api/v1/openrtb2/bid', {
    headers: { 'x-api-key': await service.key(), 'x-openrtb-version': '2.6' },
    body: request,
  });
  expect([status, body]).toMatchObject([200, { id: request.id }]);
  const { bids } = converter.fromORTB({ request, response: body });
  expect(bids).toHaveLength(1);
  const [bid] = bids;
  expect(bid).toMatchObject({
    mediaType: 'native',
    requestId: '2f3',
    cpm: body.seatbid[0].bid[0].price,
    currency: 'USD',
    ttl: 300,
    creativeId: body.seatbid[0].bid[0].crid,
    burl: body.seatbid[0].bid[0].burl,
    meta: { advertiserDomains: ['strings.example'] },
  });
  expect(toLegacyResponse(bid!.native.ortb, nativeOrtbRequest)).toMatchObject({
    title: creative.headline,
    body: creative.description,
    cta: creative.callToAction,
    sponsoredBy: creative.sponsoredBy,
    image: { url: creative.imageUrl },
    clickUrl: expect.stringContaining('/api/v1/click/'),
    impressionTrackers: [expect.stringContaining('/api/v1/openrtb2/notice/i')],
  });
});
