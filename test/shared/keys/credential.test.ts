import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateKey, isKey, keyFingerprint, maskKey } from '../../../shared/keys/credential.ts';

const key = generateKey('live', (length) => new Uint8Array(length).fill(255));

describe('an API key', () => {
  it('contains 160 bits and a checksum in base 62, for any bits', () => {
    for (const fill of [0, 1, 255]) {
      const generated = generateKey('test', (length) => new Uint8Array(length).fill(fill));
      expect(generated).toMatch(/^ak_test_[0-9A-Za-z]{33}$/);
      expect(isKey(generated)).toBe(true);
    }
    expect(generateKey('live', randomBytes)).not.toBe(generateKey('live', randomBytes));
  });

  it('is invalid if one character is wrong', () => {
    fc.assert(
      fc.property(fc.nat(key.length - 1), fc.constantFrom(...'0123456789abcdefXYZ_'), (at, other) => {
        fc.pre(key[at] !== other);
        expect(isKey(key.slice(0, at) + other + key.slice(at + 1))).toBe(false);
      }),
    );
  });

  it('is distinguished from any other text', () => {
    fc.assert(fc.property(fc.string(), (text) => !isKey(text)));
    expect(isKey(`${key}x`)).toBe(false);
    expect(isKey(` ${key}`)).toBe(false);
  });

  it('shows its prefix and last four characters when masked', () => {
    expect(maskKey(key)).toBe(`ak_live_****${key.slice(-4)}`);
  });

  it('always has the same fingerprint', () => {
    expect(keyFingerprint(key)).toMatch(/^key_[0-9a-f]{32}$/);
    expect(keyFingerprint(key)).toBe(keyFingerprint(key));
  });
});
