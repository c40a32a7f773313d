import { expect, test } from 'vitest';
import { type BidResult, readBid } from '../../../tools/evaluate/client.ts';

const reply = (status: number, body: unknown, headers: Record<string, string> = {}) => ({
  status,
  headers: new Headers(headers),
  text: typeof body === 'string' ? body : JSON.stringify(body),
  ms: 5,
});
const candidates = [{ campaignId: 'cmp_1', relevance: 0.2, outcome: 'below_threshold' }];

test.each<[string, ReturnType<typeof reply>, BidResult]>([
  [
    'a bid carries its reasons in the body',
    reply(200, { bid: 1, bidId: 'x', debug: { campaignId: 'cmp_1', candidates } }),
    { kind: 'answered', campaignId: 'cmp_1', candidates, ms: 5 },
  ],
  [
    'a no-bid carries them in a header',
    reply(200, 'null', { 'x-debug-info': JSON.stringify({ campaignId: null, candidates }) }),
    { kind: 'answered', campaignId: null, candidates, ms: 5 },
  ],
  [
    'a no-bid without reasons is a failure',
    reply(200, 'null'),
    { kind: 'failed', reason: 'the response lacks the requested debug information' },
  ],
  [
    'a rejection includes the reason',
    reply(400, { message: 'Validation failed', details: [{ path: 'messages', message: 'too many' }] }),
    { kind: 'refused', reason: 'status 400: messages: too many' },
  ],
  [
    'a row too large is refused',
    reply(413, { message: 'Too large' }),
    { kind: 'refused', reason: 'status 413: Too large' },
  ],
  ['an error is a failure', reply(500, { message: 'Oh' }), { kind: 'failed', reason: 'status 500: Oh' }],
  ['what is not JSON is a failure', reply(200, '<html>'), { kind: 'failed', reason: 'status 200' }],
])('%s', (_, response, expected) => {
  expect(readBid(response)).toEqual(expected);
});
