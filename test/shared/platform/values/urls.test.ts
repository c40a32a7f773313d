import { expect, it } from 'vitest';
import { domainFilter, getDomain } from '../../../../shared/platform/values/urls.ts';

it('domainFilter matches domains and subdomains in any spelling, for any number of tests', () => {
  const plain = ['shoes.example', 'example.org', 'tld'];
  const odd = ['WWW.Shoes.example', ' example.org ', 'münchen.example', 'tld', ''];
  for (const list of [plain, odd, [...plain, ...odd]]) {
    const isBlocked = domainFilter(list);
    for (let asked = 0; asked < 20; asked++) {
      for (const domain of ['shoes.example', 'a.b.shoes.example', 'example.org', 'any.tld'])
        expect(isBlocked(domain)).toBe(true);
      for (const domain of ['hoes.example', 'org', 'example', 'shoes.example.net', ''])
        expect(isBlocked(domain)).toBe(false);
    }
    expect(isBlocked('xn--mnchen-3ya.example')).toBe(list.includes('münchen.example'));
  }
  expect(domainFilter([])('shoes.example')).toBe(false);
});

it('getDomain ignores www and the root dot', () => {
  for (const host of ['shoes.example', 'www.shoes.example', 'shoes.example.', 'www.shoes.example.'])
    expect(getDomain(`https://${host}/buy`)).toBe('shoes.example');
});
