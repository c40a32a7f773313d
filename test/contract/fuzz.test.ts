import { expect, it } from 'vitest';
import { startInMemory } from '../memory/stack.ts';
import { COMMON_HEADERS } from './rows.ts';
import { badRequests, findResponseFault, sendBadRequests } from './send-requests.ts';

it('returns no 5xx for invalid and unusual requests to any operation, and rejects them in the shape of their area', {
  tags: 'whole',
}, async () => {
  const outcomes = await sendBadRequests(20_261_120, 300, startInMemory);
  expect(outcomes.filter(({ fault }) => fault).map(({ request: wire, fault }) => ({ wire, fault }))).toEqual([]);
  // The requests must reach the code behind the checks too.
  const statuses = new Set(outcomes.map(({ status }) => status));
  for (const status of [200, 400, 401, 404, 405]) expect(statuses).toContain(status);
});

it('generates the same requests for the same seed', () => {
  expect(badRequests(7, 24)).toEqual(badRequests(7, 24));
});

const NOT_FOUND = { error: 'Not found', message: 'Campaign not found', statusCode: 404 };
it.each<[string, number, object, RegExp | undefined]>([
  ['the rejection of its area', 404, NOT_FOUND, undefined],
  ['debug information in addition', 404, { ...NOT_FOUND, debug: {} }, undefined],
  ['a 500', 500, { error: 'Internal Server Error', message: 'Something went wrong', statusCode: 500 }, /^500: /],
  ['another 503', 503, { error: 'Service Unavailable', message: 'Try again', statusCode: 503 }, /^503: /],
  ['the fields of another area', 404, { statusCode: 404, message: 'Campaign not found', error: 'Not Found' }, /^404: /],
  ['the gateway itself', 404, { message: 'Not Found' }, /^404: /],
])('classifies a response with %s', (_, status, body, fault) => {
  const headers = { 'content-type': 'application/json', 'x-request-id': 'x', ...COMMON_HEADERS };
  const found = findResponseFault(
    { method: 'GET', target: '/api/v1/campaigns/x' },
    { status, headers, text: JSON.stringify(body) },
  );
  if (fault) expect(found).toMatch(fault);
  else expect(found).toBeUndefined();
});
