import { afterEach, describe, expect, it, vi } from 'vitest';
import { createAdvertiserFilter, findUnclearAdvertisers } from '../../../../shared/ads/openrtb/advertisers.ts';

describe('A list of blocked advertisers', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('is read in bounded time, and blocks every campaign if it is too large', () => {
    const parsed = vi.spyOn(URL, 'canParse');
    for (const entry of ['ä!'.repeat(80), 'a,'.repeat(100), 'ä.b '.repeat(60)]) {
      const entries = Array.from({ length: 4_000 }, () => entry);
      parsed.mockClear();
      expect(createAdvertiserFilter(entries)('shop.example'), entry).toBe(true);
      findUnclearAdvertisers(entries);
      expect(parsed.mock.calls.length, entry).toBeLessThan(50_000);
    }
  });

  it('is read to its maximum of 10,000 entries, in any spelling', () => {
    const entries = Array.from({ length: 10_000 }, (_, index) => `HTTPS://Shop-${index}.Example/`);
    const blocks = createAdvertiserFilter(entries);
    expect([blocks('shop-9999.example'), blocks('other.example'), findUnclearAdvertisers(entries)]).toEqual([
      true,
      false,
      [],
    ]);
  });
});
