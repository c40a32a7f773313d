const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A non-negative integer in base 62, padded with zeros to `length` digits. */
export function base62(value: bigint, length: number): string {
  let digits = '';
  for (let rest = value; rest > 0n; rest /= 62n) digits = DIGITS[Number(rest % 62n)] + digits;
  return digits.padStart(length, '0');
}

/** Bytes, most significant first, as one integer. */
export const bytesToInteger = (bytes: Uint8Array): bigint =>
  bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);

/** The integer that digits in base 62 mean. */
export const integerOf = (digits: string): bigint =>
  [...digits].reduce((value, digit) => value * 62n + BigInt(DIGITS.indexOf(digit)), 0n);
