import { describe, expect, it } from 'vitest';
import { type Creative, EMPTY_CREATIVE } from '../../../shared/campaigns/creative.ts';
import { hashCreative } from '../../../shared/campaigns/creative-versions.ts';

const SHOES: Creative = {
  ...EMPTY_CREATIVE,
  headline: 'Running shoes',
  description: 'Light shoes for long runs.',
  callToAction: 'Shop now',
  landingUrl: 'https://shoes.example/',
  imageUrl: 'https://cdn.example/shoe.png',
  videoUrl: 'https://cdn.example/run.mp4',
  thumbnailUrl: 'https://cdn.example/run.png',
  sponsoredBy: 'Halden',
};

describe('The version of a creative', () => {
  it('equals the version under which it was stored and approved', () => {
    expect(hashCreative(EMPTY_CREATIVE)).toBe('XJ_zTp4avVDEVvYc');
    expect(hashCreative(SHOES)).toBe('IvIRmp5lVN-HGIMk');
    const early = {
      headline: 'Laufschuhe „Größe 42“',
      description: 'Zeile 1\nZeile 2',
      callToAction: '今すぐ購入',
      landingUrl: 'https://shoes.example/a?b=c&d=%20',
    };
    expect(hashCreative(early as typeof SHOES), 'stored before creatives had images').toBe('2M5Yu5M56SoUt4eM');
  });

  it('stays the same if creatives get a new field that is not set', () => {
    for (const logoUrl of ['', null, undefined, []])
      expect(hashCreative({ ...SHOES, logoUrl } as typeof SHOES), JSON.stringify(logoUrl)).toBe('IvIRmp5lVN-HGIMk');
  });

  it('changes with each field, including new ones, whatever the order of the fields', () => {
    const extended = { ...SHOES, logoUrl: 'https://cdn.example/logo.png', price: '49' };
    const versions = [
      SHOES,
      ...Object.keys(EMPTY_CREATIVE).map((field) => ({ ...SHOES, [field]: 'other' })),
      extended,
      { ...extended, logoUrl: extended.price, price: extended.logoUrl },
      { ...SHOES, logoUrl: extended.logoUrl },
    ].map(hashCreative);
    expect(new Set(versions).size).toBe(versions.length);
    const reversed = Object.fromEntries(Object.entries(extended).reverse()) as typeof extended;
    expect(hashCreative(reversed)).toBe(hashCreative(extended));
  });
});
