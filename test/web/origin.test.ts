import { expect, test } from 'vitest';
import { showOrigin } from '../../web/docs/origin.ts';

test.each(['http://localhost:4000', 'https://ads.shop.example'])('documents at %s name it as the service', (origin) => {
  expect(showOrigin('curl -s localhost:3000/api/v1/health', origin)).toBe(`curl -s ${origin}/api/v1/health`);
  expect(showOrigin('http://localhost:3000', origin)).toBe(origin);
  expect(showOrigin('http://localhost:3100 and http://localhost:4000', origin)).toBe(
    'http://localhost:3100 and http://localhost:4000',
  );
});
