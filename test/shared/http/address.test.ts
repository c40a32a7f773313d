import { describe, expect, it } from 'vitest';
import { cutAddress } from '../../../shared/http/address.ts';

describe('cutAddress', () => {
  it.each([
    ['203.0.113.77', '203.0.113.0'],
    ['2001:db8:85a3:8d3:1319:8a2e:370:7348', '2001:db8:85a3::'],
    ['::ffff:203.0.113.77', '203.0.113.0'],
    ['::1', '::'],
    ['not an address', ''],
    ['', ''],
  ])('%s becomes %s', (given, cut) => expect(cutAddress(given)).toBe(cut));
});
