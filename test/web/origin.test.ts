import { afterEach, expect, test, vi } from 'vitest';
import { showOrigin } from '../../web/docs/origin.ts';

afterEach(() => vi.unstubAllGlobals());

test.each(['http://localhost:4000', 'https://ads.shop.example'])('documents at %s name it as the service', (origin) => {
  vi.stubGlobal('location', { origin });
  expect(showOrigin('curl -s localhost:3000/api/v1/health')).toBe(`curl -s ${origin}/api/v1/health`);
  expect(showOrigin('http://localhost:3000')).toBe(origin);
  expect(showOrigin('http://localhost:3100 and http://localhost:4000')).toBe(
    'http://localhost:3100 and http://localhost:4000',
  );
});
