import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redact as redactTo } from '../../../../shared/platform/values/redact.ts';

const GONE = '[redacted]';
const redact = (text: string) => redactTo(text, 2_000);

describe('Redaction replaces', () => {
  it.each([
    'jane@example.com',
    'jane.doe+ads@mail.example.co.uk',
    "o'brien@example.ie",
    'JANE_DOE@EXAMPLE.COM',
    'jürgen@bücher.example',
    'жук@почта.рф',
    'jane@localhost',
    'jane @ example.com',
    'jane [at] example [dot] com',
    'jane(at)example.com',
    `${'x'.repeat(64)}@${'y'.repeat(200)}.com`,
  ])('the e-mail address %s', (address) => {
    expect(redact(`Write to ${address}, please`)).toMatch(/^Write to \[redacted\],? ?please$/);
  });

  it.each([
    '555-1234',
    '555 123 4567',
    '(555) 123-4567',
    '+1 (555) 123-4567',
    '+1.555.123.4567',
    '1-800-555-0199',
    '+49 (0) 30 / 1234567',
    '0049 30 1234567',
    '030/1234567',
    '+44 20 7946 0958',
    '+33 1 23 45 67 89',
    '06 12 34 56 78',
    '090‑1234‑5678',
    '555 – 123 – 4567',
    '+1 555 123 4567',
    '５５５１２３４５６７',
    '٠١٢٣٤٥٦٧٨٩',
    '555\u200b123\u200b4567',
  ])('the telephone number %s', (number) => {
    expect(redact(`Call ${number} today`)).toBe(`Call ${GONE} today`);
  });

  it.each([
    '4111111111111111',
    '4111 1111 1111 1111',
    '4111-1111-1111-1111',
    '3782 822463 10005',
    '6011000990139424123',
    '12345678',
    '1234 5678',
    '000123456789',
    '20261120',
    '2026-11-20-1234567',
    '1111-11-11-11',
  ])('the card or account number %s', (number) => {
    expect(redact(`It is ${number}, thanks`)).toBe(`It is ${GONE}, thanks`);
  });

  it.each([
    'GB29NWBK60161331926819',
    'GB29 NWBK 6016 1331 9268 19',
    'gb29 nwbk 6016 1331 9268 19',
    'DE89 3704 0044 0532 0130 00',
    'NL91ABNA0417164300',
    'MT84MALT011000012345MTLCAST001S',
    'NO93 8601 1117 947',
    'FR14-2004-1010-0505-0001-3M02-606',
  ])('the IBAN %s', (iban) => {
    expect(redact(`Pay to ${iban}. Soon`)).toBe(`Pay to ${GONE}. Soon`);
  });

  it.each(['203.0.113.7', '2001:db8:0:1:2:3:4:5', '2001:db8:1::7:8'])('the address %s', (address) => {
    expect(redact(`From ${address} now`)).toBe(`From ${GONE} now`);
  });

  it('every one of several', () => {
    expect(redact('a@b.example or c@d.example, 555-1234 and 555-9876')).toBe(`${GONE} or ${GONE}, ${GONE} and ${GONE}`);
  });
});

describe('Redaction leaves', () => {
  it.each([
    'on 2026-11-20 at 9:30',
    'on 20.11.2026, or 11/20/2026',
    'from 2026-11-20 to 2026-11-24',
    'from 20.11.2026 - 24.11.2026',
    'at 2026-11-20 09:30 or 2026-11-20T09:30:00Z',
    'the season 2024-2025 and 1999/2000',
    'for $1,299.99 or 1.299,99 € or $1299.99',
    'a budget of $100,000',
    '10000 steps, 100000 times',
    'size 42, 9-10 weeks, 3.5 mm, 50%',
    'Chrome 130, Windows 11, iPhone 15',
    'a GT86 with 200 hp and the XR75 you like',
    'at 10:30:15, or 10:30 - 11:45',
    '911 or 112',
    'room 101, 2nd floor, 90210 Beverly Hills',
    '1920x1080 at 144 Hz',
    'an @mention, or 3 @ $5 each',
    'a ratio of 16:9',
    'version 4.17.21',
    '日本語とemoji 👩‍👩‍👧',
  ])('%s', (text) => {
    expect(redact(text)).toBe(text);
  });
});

describe('Redaction', () => {
  it('keeps at most 2,000 characters, and redacts values that the cut splits', () => {
    for (let before = 1_960; before <= 2_010; before++) {
      for (const secret of [
        'jane.doe@example.com',
        '+1 555 123 4567',
        '4111 1111 1111 1111',
        'GB29 NWBK 6016 1331 9268 19',
      ]) {
        const kept = redact(`${'x '.repeat(before / 2)} ${secret} and more`);
        expect(kept.length).toBeLessThanOrEqual(2_000);
        expect(kept).not.toMatch(/jane|555|411|GB2|NWBK|\d{3}/);
      }
    }
    const shrinking = `${`${'y'.repeat(60)}@${'z'.repeat(200)}.com `.repeat(9)}+1 555 123 4567 jane.doe@example.com`;
    expect(redact(shrinking)).toBe(`${`${GONE} `.repeat(9)}${GONE} ${GONE}`);
  });

  it('leaves no half of a surrogate pair, at the cut or from the input', () => {
    for (const text of [`${'x'.repeat(1_999)}😀`, '\ud800x', `${'😀'.repeat(5_000)}`]) {
      expect(redact(text).isWellFormed()).toBe(true);
    }
  });

  const gap = fc.constantFrom('', '', ' ', '-', '.', '/', ' - ', ') ', '\u00a0');
  const words = fc.array(fc.constantFrom('well', 'I', 'need', 'shoes', '42', '$9.99', '.', 'è', '😀'), {
    maxLength: 9,
  });
  const around = fc.tuple(words, words).map(([a, b]) => [a.join(' '), b.join(' ')] as const);

  it('finds numbers of seven digits and more in any grouping', () => {
    const number = fc
      .array(fc.tuple(fc.integer({ min: 3, max: 9 }), gap), { minLength: 7, maxLength: 19 })
      .map((digits) =>
        digits
          .map(([digit, space]) => `${digit}${space}`)
          .join('')
          .replace(/[^\d]+$/, ''),
      );
    fc.assert(
      fc.property(number, around, (found, [before, after]) => {
        const kept = redact(`${before} x ${found} x ${after}`);
        expect(kept).toContain(` x ${GONE} x `);
      }),
      { seed: 7, numRuns: 500 },
    );
  });

  it('finds e-mail addresses of any letters', () => {
    fc.assert(
      fc.property(fc.emailAddress(), around, (address, [before, after]) => {
        const kept = redact(`${before} <${address}> ${after}`);
        expect(kept).not.toContain(address);
        expect(kept).not.toContain(address.slice(address.indexOf('@')));
      }),
      { seed: 7, numRuns: 300 },
    );
  });

  it('does not change a redacted text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789 -.@:/aGbDE8[]()+'), maxLength: 80 }), (text) => {
        const once = redact(text);
        expect(redact(once).length).toBeLessThanOrEqual(Math.max(once.length, GONE.length * 8));
        expect(once).not.toMatch(/\d{7}/);
      }),
      { seed: 7, numRuns: 500 },
    );
  });

  it.each([
    ['digits', '1'],
    ['six digits and a gap', '123456 x'],
    ['signs between digits', '1 - '],
    ['three signs', '1   '],
    ['letters', 'a'],
    ['signs of addresses', 'a@'],
    ['at signs', '@'],
    ['dots', 'a.'],
    ['spelled addresses', 'a [at] a'],
    ['beginnings of IBANs', 'AB12 '],
    ['IBANs without an end', 'GB29NWBK6016133192681912345678901234567890 '],
    ['IBANs of letters', 'AB12ABCDEFGHIJKLMNOP'],
    ['addresses', '1.2.3.'],
    ['colons', 'a:'],
    ['days', '2026-11-20 '],
    ['brackets', '(('],
    ['spaces', ' '],
  ])('takes linear time for many %s', (_, text) => {
    // Processor time, and beside a shorter text: what else the machine does is not counted, nor how fast it is.
    const time = (length: number) => {
      const hostile = text.repeat(Math.ceil(length / text.length)).slice(0, length);
      const before = process.cpuUsage();
      redact(hostile);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    };
    time(10_000);
    expect(time(131_072)).toBeLessThan(4 * 8 * time(16_384) + 200);
  });
});
