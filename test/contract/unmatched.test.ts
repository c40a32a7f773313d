import { describe, expect, it } from 'vitest';
import { useServiceInMemory } from '../memory/stack.ts';
import { httpEvent } from '../service.ts';
import { expectRefusal, findRows, getArea, rows, send } from './rows.ts';

// @module-tag whole
const service = useServiceInMemory();
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];
const paths = [...new Set(rows.flatMap(({ path }) => path ?? []))];

const ask = (method: string, path: string) => {
  const { name, event } = httpEvent(method, path);
  expect(name).toBe('unmatched');
  return send(service.stack.handlers, name, event);
};

describe('A method that a path does not support', () => {
  it.each(paths)('is rejected on %s with the supported methods', async (path) => {
    const allowed = [...new Set(findRows(path).flatMap((row) => [...row.methods]))];
    for (const method of METHODS.filter((one) => !(allowed as string[]).includes(one))) {
      const sent = await ask(method, path.replaceAll(/\{\w+\}/g, 'x'));
      if (method === 'HEAD') expect([sent.status, sent.text]).toEqual([405, '']);
      else expectRefusal({ area: getArea(path) }, sent, 405);
      expect(sent.headers.allow!.split(', ').sort()).toEqual(allowed.sort());
    }
  });
});

describe('An unknown path', () => {
  it.each([
    '/',
    '/api/v1',
    '/api/v1/',
    '/api/v2/campaigns',
    '/api/v1/campaigns/',
    '/api/v1//campaigns',
    '/API/V1/CAMPAIGNS',
    '/api/v1/campaigns/x/y',
    '/api/v1/ssp/bids',
    '/api/v1/ssp/ad/',
    '/api/v1/ad-serving/click',
    '/api/v1/ad-serving/requests',
    '/favicon.ico',
    '/api/v1/%F0%9F',
    '/..%2f',
    '/%00',
  ])('gets 404: %s', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const sent = await ask(method, path);
      expectRefusal({ area: getArea(path) }, sent, 404);
      expect(sent.body).toEqual({
        error: 'Not found',
        message: 'Route not found',
        statusCode: 404,
      });
    }
  });
});
