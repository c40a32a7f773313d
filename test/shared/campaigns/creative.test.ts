import { describe, expect, it } from 'vitest';
import { EMPTY_CREATIVE, getAdvertiser } from '../../../shared/campaigns/creative.ts';
import { creativeInput, creativeOutput } from '../../../shared/campaigns/creative-schema.ts';
import { getKeys } from '../../../shared/platform/values/typed.ts';

describe('Creative', () => {
  const fields = getKeys(EMPTY_CREATIVE);

  it('accepts and returns every field, and defaults each to an empty string', () => {
    expect(Object.keys(creativeInput().shape)).toEqual(fields);
    expect(Object.keys(creativeOutput().shape)).toEqual(fields);
    expect(new Set(Object.values(EMPTY_CREATIVE))).toEqual(new Set(['']));
  });

  it.each(fields)('describes %s in the API reference', (field) => {
    expect(creativeOutput().shape[field].description).toMatch(/^[A-Z]/);
  });

  it.each(fields)('accepts null for %s, and names the field in its error', (field) => {
    const parse = (value: unknown) => creativeInput().safeParse({ [field]: value });
    expect(parse(null).success).toBe(true);
    expect(parse(1).error?.issues[0]?.message).toContain(field);
  });

  it('names the domain of the landing page as the advertiser if no sponsor is set', () => {
    expect(getAdvertiser({ landingUrl: 'https://www.herbs.example/tea' })).toBe('herbs.example');
    expect(getAdvertiser({ landingUrl: 'https://herbs.example/', sponsoredBy: ' Herb & Co ' })).toBe('Herb & Co');
  });
});
