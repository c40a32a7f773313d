import { describe, expect, it } from 'vitest';
import { likelyCountry } from '../../../../shared/platform/values/countries.ts';

describe('An invalid country code', () => {
  it.each([
    ['UK', 'GB'],
    ['uk', 'GB'],
    ['EN', 'GB'],
    ['EL', 'GR'],
    ['USA', 'US'],
    ['U.S.A.', 'US'],
    ['DEU', 'DE'],
    ['Germany', 'DE'],
    ['united states', 'US'],
    ['South Korea', 'KR'],
    ['Türkiye', 'TR'],
    ['Turkey', 'TR'],
    ['Kosovo', 'XK'],
    ['XKX', 'XK'],
    ['Côte d’Ivoire', 'CI'],
    [' de ', 'DE'],
    ['en-US', 'US'],
    ['zh_Hant_TW', 'TW'],
    ['en-UK', 'GB'],
  ])('has a likely correction: %s, %s', (mistake, code) => {
    expect(likelyCountry(mistake)).toBe(code);
  });

  it.each(['XX', 'EU', '', 'ß', 'constructor', 'x'.repeat(1_000_000), 7, null])('has no correction: %.20s', (text) => {
    expect(likelyCountry(text)).toBeUndefined();
  });
});
