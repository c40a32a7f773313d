import { createHmac } from 'node:crypto';
import { type IdOf, idPrefix } from '../platform/values/ids.ts';

/** 32 digits without letters that look like digits or like each other. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 12;

/**
 * The ID by which an advertiser sees the publisher of a key. It differs by advertiser, so two of them cannot tell that they share a publisher,
 * and it does not depend on the key's public name, so it stays the same when the publisher sets or changes that name.
 * @param secret of the service; without it, nobody who knows a key's ID can compute this one
 */
export function toPublisherId(secret: string, advertiser: string, keyId: string): IdOf<'publisher'> {
  // No user ID begins with a control character, so this hash never equals that of a conversation under the same secret.
  const hash = createHmac('sha256', secret).update(`\x01publisher\n${advertiser}\n${keyId}`).digest();
  let digits = '';
  for (const byte of hash.subarray(0, LENGTH)) digits += DIGITS[byte % DIGITS.length];
  return `${idPrefix('publisher')}${digits}`;
}

/** What an advertiser reads instead of a public name: "Publisher 7F3K-Q2". */
export function toPseudonym(publisherId: IdOf<'publisher'>): string {
  const digits = publisherId.slice(idPrefix('publisher').length);
  return `Publisher ${digits.slice(0, 4)}-${digits.slice(4, 6)}`;
}

/** Whether a public name could be mistaken for a pseudonym. */
export const looksLikePseudonym = (name: string): boolean =>
  /^publisher\s+\w{4}\P{L}\w{2}$/iu.test(name.normalize('NFKC'));
