import { afterEach, describe, expect, it, vi } from 'vitest';
import { blockedAdvertisers, unreadAdvertisers } from '../../../../shared/ads/openrtb/advertisers.ts';

describe('A list of blocked advertisers', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('is read in bounded work, and blocks everybody where it says more than that', () => {
    const parsed = vi.spyOn(URL, 'canParse');
    for (const entry of ['ä!'.repeat(80), 'a,'.repeat(100), 'ä.b '.repeat(60)]) {
      const entries = Array.from({ length: 4_000 }, () => entry);
      parsed.mockClear();
      expect(blockedAdvertisers(entries)('shop.example'), entry).toBe(true);
      unreadAdvertisers(entries);
      expect(parsed.mock.calls.length, entry).toBeLessThan(50_000);
    }
  });

  it('is read whole where it has as many entries as it may, however they are written', () => {
    const entries = Array.from({ length: 10_000 }, (_, index) => `HTTPS://Shop-${index}.Example/`);
    const blocks = blockedAdvertisers(entries);
    expect([blocks('shop-9999.example'), blocks('other.example'), unreadAdvertisers(entries)]).toEqual([
      true,
      false,
      [],
    ]);
  });
});
