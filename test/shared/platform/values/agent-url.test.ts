import { describe, expect, it } from 'vitest';
import { canonicalAgentUrl } from '../../../../shared/platform/values/urls.ts';

describe("The canonical form of an agent's URL", () => {
  it.each([
    ['HTTPS://Seller.Example/Agent', 'https://seller.example/Agent'],
    ['https://seller.example', 'https://seller.example/'],
    ['https://seller.example?x=1', 'https://seller.example/?x=1'],
    ['https://seller.example./p', 'https://seller.example/p'],
    ['https://seller.example.:8443/p', 'https://seller.example:8443/p'],
    ['https://BÜCHER.Example./p', 'https://xn--bcher-kva.example/p'],
    ['https://xn--bcher-kva.example/p', 'https://xn--bcher-kva.example/p'],
    ['https://faß.example/', 'https://xn--fa-hia.example/'],
    ['https://[2001:DB8::1]:443/p', 'https://[2001:db8::1]/p'],
    ['https://[::1]:8443/p', 'https://[::1]:8443/p'],
    ['https://user:pass@seller.example/p', 'https://seller.example/p'],
    ['https://seller.example:443/p', 'https://seller.example/p'],
    ['https://seller.example:/p', 'https://seller.example/p'],
    ['http://seller.example:80/p', 'http://seller.example/p'],
    ['http://seller.example:443/p', 'http://seller.example:443/p'],
    ['https://seller.example/a/./b', 'https://seller.example/a/b'],
    ['https://seller.example/a/b/../c', 'https://seller.example/a/c'],
    ['https://seller.example/../../a/..', 'https://seller.example/'],
    ['https://seller.example/a/b/.', 'https://seller.example/a/b/'],
    ['https://seller.example/a//b', 'https://seller.example/a//b'],
    ['https://seller.example/a/.//b', 'https://seller.example/a//b'],
    ['https://seller.example/a//../b', 'https://seller.example/a/b'],
    ['https://seller.example/%7Efoo/%2fb/%41', 'https://seller.example/~foo/%2Fb/A'],
    ['https://seller.example/a%3Ab%3fc', 'https://seller.example/a%3Ab%3Fc'],
    ['https://seller.example/p?b=2&a=%7e+1', 'https://seller.example/p?b=2&a=%7e+1'],
    ['https://seller.example/p?', 'https://seller.example/p?'],
    ['https://seller.example/p/', 'https://seller.example/p/'],
    ['https://seller.example/p?q#part', 'https://seller.example/p?q'],
  ])('of %s is %s', (url, canonical) => {
    expect(canonicalAgentUrl(url)).toBe(canonical);
  });

  it.each([
    '',
    'seller.example',
    'ftp://seller.example/',
    'https:///p',
    'https://:443/p',
    'https://user@/p',
    'https://seller.example../p',
    'https://seller..example/p',
    'https://a_b.example/p',
    'https://ab--cd.example/p',
    'https://ex%61mple.com/p',
    'https://[::1/p',
    'https://fe80::1/p',
    'https://[fe80::1%25eth0]/p',
    'https://seller.example:port/p',
    'https://seller.example:99999/p',
    'https://seller.example\\@other.example/p',
    ' https://seller.example/',
    'https://seller.example/\n',
  ])('is undefined for %j', (url) => {
    expect(canonicalAgentUrl(url)).toBeUndefined();
  });
});
