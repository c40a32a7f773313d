import ipaddr from 'ipaddr.js';
import { describe, expect, it } from 'vitest';
import type { Resolve } from '../../../shared/platform/effects.ts';
import { canConnect } from '../../../shared/webhooks/public-address.ts';
import { findReceiverFault, findUrlFault } from '../../../shared/webhooks/receiver-url.ts';
import { ELSEWHERE, FINE, LOOPBACK_HOSTS, PUBLIC, SPECIAL } from './hosts.ts';

const isPublicAddress = (address: string): boolean => canConnect(address, false);

const RESERVED = /reserved address$/;

describe('the host of a receiver', () => {
  it.each(LOOPBACK_HOSTS)('may not be %s, unless the setting allows it', (host) => {
    expect(findUrlFault(`https://${host}/hook`, false)).toMatch(RESERVED);
    expect(findUrlFault(`https://${host}/hook`, true)).toBeNull();
    expect(findUrlFault(`http://${host}:8080/hook`, true)).toBeNull();
  });

  it.each(ELSEWHERE)('may not be %s, regardless of the setting', (_, hosts) => {
    for (const host of hosts) {
      for (const allowLocal of [false, true]) {
        expect(findUrlFault(`https://${host}/hook`, allowLocal), host).toMatch(RESERVED);
        expect(findUrlFault(`https://${host}:8443`, allowLocal), host).toMatch(RESERVED);
      }
    }
  });

  it.each(FINE)('may be %s', (host) => {
    expect(findUrlFault(`https://${host}/hook`, false)).toBeNull();
    expect(findUrlFault(`https://${host}/hook`, true)).toBeNull();
  });
});

describe('the URL of a receiver', () => {
  it.each([
    ['', /must be an absolute https URL/],
    ['hooks.example/ads', /must be an absolute https URL/],
    ['//hooks.example/ads', /must be an absolute https URL/],
    ['https://', /must be an absolute https URL/],
    ['https://exa mple.com', /must be an absolute https URL/],
    ['https://256.1.1.1', /must be an absolute https URL/],
    ['https://[fe80::1%25eth0]/', /must be an absolute https URL/],
    ['https://hooks.example:99999', /must be an absolute https URL/],
    ['ftp://hooks.example', /must be an https URL/],
    ['ws://hooks.example', /must be an https URL/],
    ['file:///etc/passwd', /must be an https URL/],
    ['javascript:alert(1)', /must be an https URL/],
    ['data:text/plain,x', /must be an https URL/],
    ['gopher://hooks.example', /must be an https URL/],
    ['https://user@hooks.example', /must not contain credentials/],
    ['https://user:pass@hooks.example', /must not contain credentials/],
    ['https://:pass@hooks.example', /must not contain credentials/],
    ['https://hooks.example%40127.0.0.1', /must be an absolute https URL/],
    ['https://hooks.example@127.0.0.1', /must not contain credentials/],
    ['https://hooks.example:22', /must not use port 22/],
    ['https://hooks.example:25', /must not use port 25/],
    ['https://hooks.example:0', /must not use port 0/],
    ['https://hooks.example:6667', /must not use port 6667/],
  ])('may not be %s', (url, fault) => {
    expect(findUrlFault(url, false)).toMatch(fault);
    expect(findUrlFault(url, true)).toMatch(fault);
  });

  it.each([
    'https://hooks.example',
    'https://hooks.example:443/a?b=c#d',
    'https://hooks.example:8443/',
    'HTTPS://HOOKS.EXAMPLE/',
    'https://hooks.example:65535',
  ])('may be %s', (url) => expect(findUrlFault(url, false)).toBeNull());

  it('may be http only if the setting allows it', () => {
    expect(findUrlFault('http://hooks.example/', false)).toMatch(/must be an https URL/);
    expect(findUrlFault('http://hooks.example/', true)).toBeNull();
  });

  it.each(['https:\\\\10.0.0.1\\x', ' https://10.0.0.1', 'https:/10.0.0.1', 'ht\ntps://10.0\t.0.1', 'https:10.0.0.1'])(
    'is parsed like the connecting client does: %j',
    (url) => expect(findUrlFault(url, false)).toMatch(RESERVED),
  );
});

describe('the host name of a receiver', () => {
  const asked: string[] = [];
  const answering =
    (...addresses: string[]): Resolve =>
    async (name) => {
      asked.push(name);
      return addresses;
    };
  const fault = (resolve: Resolve, allowLocal = false) =>
    findReceiverFault('https://hooks.example./x', allowLocal, resolve);

  it.each([
    ['one public address', ['93.184.216.34'], null],
    ['public addresses of both kinds', ['93.184.216.34', '2606:4700::1111'], null],
    ['none now', [], null],
    ['a private address', ['10.0.0.1'], RESERVED],
    ['a public and a private one', ['93.184.216.34', '10.0.0.1'], RESERVED],
    ['a mapped private one', ['::ffff:10.0.0.1'], RESERVED],
    ['a public and a link-local one', ['2606:4700::1111', 'fe80::1'], RESERVED],
    ['a link-local one with its zone', ['fe80::1%eth0'], RESERVED],
    ['the metadata service', ['169.254.169.254'], RESERVED],
    ['what is no address', ['nonsense'], RESERVED],
  ])('that resolves to %s', async (_, addresses, expected) => {
    const found = await fault(answering(...addresses));
    if (expected) expect(found).toMatch(expected);
    else expect(found).toBeNull();
  });

  it('may resolve to loopback only if the setting allows it, and to no other reserved address', async () => {
    expect(await fault(answering('127.0.0.1', '::1'))).toMatch(RESERVED);
    expect(await fault(answering('127.0.0.1', '::1'), true)).toBeNull();
    expect(await fault(answering('127.0.0.1', '10.0.0.1'), true)).toMatch(RESERVED);
  });

  it('is resolved without its final dot, and not if it is an address or already rejected', async () => {
    asked.length = 0;
    await fault(answering());
    for (const url of ['https://8.8.8.8/', 'https://[2606:4700::1111]/', 'ftp://hooks.example', 'https://10.0.0.1/']) {
      await findReceiverFault(url, false, answering());
    }
    expect(asked).toEqual(['hooks.example']);
  });
});

/** The first and the last address of a range. */
function endsOf(range: string): string[] {
  const [address, bits] = ipaddr.parseCIDR(range);
  const bytes = address.toByteArray();
  const last = bytes.map((byte, at) => byte | (0xff >> Math.min(8, Math.max(0, bits - 8 * at))));
  return [address.toString(), ipaddr.fromByteArray(last).toString()];
}

describe('isPublicAddress', () => {
  it.each(SPECIAL)('rejects both ends of %s', (range) => {
    expect(endsOf(range).filter(isPublicAddress)).toEqual([]);
  });

  it.each(PUBLIC)('accepts %s', (address) => expect(isPublicAddress(address)).toBe(true));

  it.each(['', 'x', '999.1.1.1', 'fe80::1%eth0'])('rejects %j', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it('accepts loopback if the setting allows it', () => {
    expect([canConnect('127.0.0.1', false), canConnect('127.0.0.1', true), canConnect('10.0.0.1', true)]).toEqual([
      false,
      true,
      false,
    ]);
    expect([canConnect('::1', true), canConnect('::ffff:127.0.0.1', true), canConnect('8.8.8.8', false)]).toEqual([
      true,
      true,
      true,
    ]);
  });
});
