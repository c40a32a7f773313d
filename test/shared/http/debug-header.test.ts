import fc from 'fast-check';
import { expect, it } from 'vitest';
import { debugHeader } from '../../../shared/http/debug-header.ts';
import { unicodeStrings } from '../../characters.ts';
import { scaleRuns } from '../../run-size.ts';

const candidate = fc.record({
  campaignId: fc.constant('cmp_8DktBJxjdH7WHI3nWxVx'),
  // The maximum length of names and keywords, with characters that take six bytes in JSON.
  name: fc.oneof(unicodeStrings(200), fc.constant('\u0001'.repeat(200))),
  relevance: fc.double({ min: 0, max: 1, noNaN: true }),
  matched: fc.array(
    fc.record({
      term: fc.oneof(unicodeStrings(100), fc.constant('ü'.repeat(300))),
      kind: fc.constant('keyword'),
      message: fc.nat(999),
      positions: fc.array(fc.record({ start: fc.nat(32_768), end: fc.nat(32_768) }), { maxLength: 50 }),
    }),
    { maxLength: 5 },
  ),
  price: fc.constant({ strategy: 'target_cpa', maxCpb: 999.999, clickRate: 1 / 3, conversionRate: 1 / 3, bid: 1 / 3 }),
  outcome: fc.constant('no_commercial_context'),
});

it('x-debug-info is ASCII under 4 KB, contains the reason, and shows a candidate if there is one', {
  tags: 'whole',
}, () => {
  const topics = Array.from({ length: 8 }, () => ({ path: `${'Topic > '.repeat(8)}x`, evidence: 1.25 }));
  fc.assert(
    fc.property(fc.array(candidate, { maxLength: 20 }), (candidates) => {
      const debug = { requestId: 'x'.repeat(60), campaignId: null, reason: 'budget', candidates, context: { topics } };
      const header = debugHeader(debug);
      expect(header).toMatch(/^[\x20-\x7e]{1,4095}$/);
      const told = JSON.parse(header);
      expect(told.reason).toBe('budget');
      expect(told.candidates.length > 0).toBe(candidates.length > 0);
      const imp = { impid: 'ü'.repeat(128), reason: 'budget', candidates, context: { topics } };
      const ofImps = debugHeader({ requestId: 'x'.repeat(60), imps: Array.from({ length: 10 }, () => imp) });
      expect(ofImps).toMatch(/^[\x20-\x7e]{1,4095}$/);
      expect(JSON.parse(ofImps).imps[0].reason).toBe('budget');
    }),
    { seed: 20_261_120, numRuns: scaleRuns(300) },
  );
});
