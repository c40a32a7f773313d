import { describe, expect, it } from 'vitest';
import { hasCode } from '../../../../shared/matching/text/code.ts';

describe('hasCode', () => {
  it.each([
    'def mortgage(rate): return rate',
    'SELECT hotel FROM bookings',
    "select name, price from hotels where city = 'rome'",
    'why does this fail:\nfrom hotels import book',
    'import hotels as h',
    '#include <insurance.h>',
    'console.log(flight)',
    '<div class="hotel">rooms</div>',
    'function book(hotel) { return hotel }',
    'const hotel = 3',
    'class Hotel(Place):',
    'CREATE TABLE flights (id int)',
    'x = {a: 1, b: [2]}; y = x;',
  ])('detects code: %s', (text) => {
    expect(hasCode(text)).toBe(true);
  });
  it.each([
    'i want to select a hotel from the ones you found',
    'Select a hotel from this list for me',
    'can you import cars from japan, and what does it cost (roughly)?',
    'which function room can i book (for 40 people)?',
    'a class (yoga, say) near me',
    'let me have the cheapest flight = the first one',
    'if you can (please) find me a hotel',
    '<p>please <b>book a hotel</b></p>',
    '#1 hotel in rome, under $100 <3',
    'delete from my list the second hotel',
    'print photos (20 of them) on canvas',
  ])('does not mistake speech for code: %s', (text) => {
    expect(hasCode(text)).toBe(false);
  });
  it('runs in time linear in the text', () => {
    for (const unit of ['SELECT a ', '<div ', '<div>', '\t', 'def a', 'if (', 'from a import', 'class '])
      for (const end of ['', '\n']) {
        const before = process.threadCpuUsage(); // independent of the rest of the machine
        hasCode((unit + end).repeat(1_000_000 / (unit + end).length));
        expect(process.threadCpuUsage(before).user).toBeLessThan(2_000_000);
      }
  });
});
