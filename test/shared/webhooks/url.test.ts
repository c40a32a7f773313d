import { describe, expect, it } from 'vitest';
import {
  faultOfReceiver,
  faultOfUrl,
  isPublicAddress,
  mayConnect,
  type Resolve,
} from '../../../shared/webhooks/url.ts';

const RESERVED = /reserved address$/;

/** Hosts that lead to this machine or its network, in every spelling that a URL allows. */
const LOOPBACK = [
  ...[
    '127.0.0.1',
    '127.255.255.254',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7F.1',
    '0177.0.0.1',
    '017700000001',
  ],
  ...['0x7f.0x0.0x0.0x1', '127.0.0.1.', '127.0.0.1..', '１２７.０.０.１', '127。0。0。1', '%31%32%37.0.0.1'],
  ...[
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[0000::0001]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:7f00:0001]',
  ],
  ...['localhost', 'LOCALHOST', 'localhost.', 'localhost..', 'sub.localhost', 'a.b.LocalHost.', 'ｌｏｃａｌｈｏｓｔ'],
];

const ELSEWHERE: [string, string[]][] = [
  ['this network', ['0.0.0.0', '0', '0x0', '0.1.2.3', '[::]', '[::ffff:0.0.0.0]']],
  [
    'private',
    [
      '10.0.0.1',
      '10.255.255.255',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.0.1',
      '192.168.1',
      '0xa000001',
      '167772161',
      '012.0.0.1',
    ],
  ],
  [
    'link-local',
    ['169.254.0.1', '169.254.169.254', '2852039166', '0xA9FEA9FE', '[fe80::1]', '[febf::1]', '[::ffff:a9fe:a9fe]'],
  ],
  ['carrier-grade NAT', ['100.64.0.1', '100.127.255.255', '[::ffff:100.64.0.1]']],
  ['protocol assignments', ['192.0.0.1', '192.0.0.170', '192.88.99.1']],
  ['documentation', ['192.0.2.1', '198.51.100.1', '203.0.113.1', '[2001:db8::1]', '[3fff::1]', '[3fff:fff::1]']],
  ['benchmarks', ['198.18.0.1', '198.19.255.255', '[2001:2::1]']],
  ['multicast', ['224.0.0.1', '239.255.255.255', '[ff02::1]', '[ff0e::1]']],
  ['the future, and broadcast', ['240.0.0.1', '255.255.255.254', '255.255.255.255', '0xffffffff', '4294967295']],
  ['unique local', ['[fc00::1]', '[fd12:3456:789a::1]', '[fdff:ffff::1]']],
  ['site-local', ['[fec0::1]']],
  ['NAT64', ['[64:ff9b::7f00:1]', '[64:ff9b::10.0.0.1]', '[64:ff9b::8.8.8.8]', '[64:ff9b:1::1]']],
  ['6to4', ['[2002:7f00:1::]', '[2002:a00:1::1]', '[2002:808:808::1]']],
  ['Teredo', ['[2001::1]', '[2001:0:4136:e378:8000:63bf:3fff:fdd2]']],
  ['IPv4-compatible and -translated', ['[::127.0.0.1]', '[::10.0.0.1]', '[::8.8.8.8]', '[::ffff:0:127.0.0.1]']],
  ['discard, ORCHID, segment routing', ['[100::1]', '[2001:10::1]', '[2001:20::1]', '[5f00::1]']],
  ['what nobody was given', ['[4000::1]', '[1::1]', '[e000::1]', '[200::1]']],
  ['names of one label', ['intranet', 'metadata', 'host.', 'com']],
];

const FINE = [
  ...[
    '1.1.1.1',
    '8.8.8.8',
    '93.184.216.34',
    '172.15.255.255',
    '172.32.0.1',
    '100.63.255.255',
    '100.128.0.1',
    '11.0.0.1',
    '9.255.255.255',
  ],
  ...[
    '126.255.255.255',
    '128.0.0.1',
    '169.253.1.1',
    '223.255.255.255',
    '198.17.0.1',
    '198.20.0.1',
    '0x08080808',
    '134744072',
  ],
  ...[
    '[2606:4700::1111]',
    '[2a00:1450:4001::1]',
    '[::ffff:8.8.8.8]',
    'hooks.example',
    'hooks.example.',
    'localhost.example',
    'notlocalhost.example',
  ],
  ...['127.0.0.1.example', 'bücher.example', 'xn--bcher-kva.example'],
];

describe('The host of a receiver', () => {
  it.each(LOOPBACK)('may not be %s, unless the setting allows it', (host) => {
    expect(faultOfUrl(`https://${host}/hook`, false)).toMatch(RESERVED);
    expect(faultOfUrl(`https://${host}/hook`, true)).toBeNull();
    expect(faultOfUrl(`http://${host}:8080/hook`, true)).toBeNull();
  });

  it.each(ELSEWHERE)('may not be of %s, whatever the setting', (_, hosts) => {
    for (const host of hosts) {
      for (const allowLocal of [false, true]) {
        expect(faultOfUrl(`https://${host}/hook`, allowLocal), host).toMatch(RESERVED);
        expect(faultOfUrl(`https://${host}:8443`, allowLocal), host).toMatch(RESERVED);
      }
    }
  });

  it.each(FINE)('may be %s', (host) => {
    expect(faultOfUrl(`https://${host}/hook`, false)).toBeNull();
    expect(faultOfUrl(`https://${host}/hook`, true)).toBeNull();
  });
});

describe('The rest of a receiver’s address', () => {
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
    ['https://user@hooks.example', /must not hold credentials/],
    ['https://user:pass@hooks.example', /must not hold credentials/],
    ['https://:pass@hooks.example', /must not hold credentials/],
    ['https://hooks.example%40127.0.0.1', /must be an absolute https URL/],
    ['https://hooks.example@127.0.0.1', /must not hold credentials/],
    ['https://hooks.example:22', /must not name port 22/],
    ['https://hooks.example:25', /must not name port 25/],
    ['https://hooks.example:0', /must not name port 0/],
    ['https://hooks.example:6667', /must not name port 6667/],
  ])('may not be %s', (url, fault) => {
    expect(faultOfUrl(url, false)).toMatch(fault);
    expect(faultOfUrl(url, true)).toMatch(fault);
  });

  it.each([
    'https://hooks.example',
    'https://hooks.example:443/a?b=c#d',
    'https://hooks.example:8443/',
    'HTTPS://HOOKS.EXAMPLE/',
    'https://hooks.example:65535',
  ])('may be %s', (url) => expect(faultOfUrl(url, false)).toBeNull());

  it('may be http only where the setting allows it', () => {
    expect(faultOfUrl('http://hooks.example/', false)).toMatch(/must be an https URL/);
    expect(faultOfUrl('http://hooks.example/', true)).toBeNull();
  });

  it.each(['https:\\\\10.0.0.1\\x', ' https://10.0.0.1', 'https:/10.0.0.1', 'ht\ntps://10.0\t.0.1', 'https:10.0.0.1'])(
    'is read as the one that connects will read it: %j',
    (url) => expect(faultOfUrl(url, false)).toMatch(RESERVED),
  );
});

describe('A receiver’s name', () => {
  const asked: string[] = [];
  const answering =
    (...addresses: string[]): Resolve =>
    async (name) => {
      asked.push(name);
      return addresses;
    };
  const fault = (resolve: Resolve, allowLocal = false) =>
    faultOfReceiver('https://hooks.example./x', allowLocal, resolve);

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
  ])('that leads to %s', async (_, addresses, expected) => {
    const found = await fault(answering(...addresses));
    if (expected) expect(found).toMatch(expected);
    else expect(found).toBeNull();
  });

  it('may lead to loopback only where the setting allows it, and to nothing else beside', async () => {
    expect(await fault(answering('127.0.0.1', '::1'))).toMatch(RESERVED);
    expect(await fault(answering('127.0.0.1', '::1'), true)).toBeNull();
    expect(await fault(answering('127.0.0.1', '10.0.0.1'), true)).toMatch(RESERVED);
  });

  it('is asked without its last dot, and never when it is an address or refused already', async () => {
    asked.length = 0;
    await fault(answering());
    for (const url of ['https://8.8.8.8/', 'https://[2606:4700::1111]/', 'ftp://hooks.example', 'https://10.0.0.1/']) {
      await faultOfReceiver(url, false, answering());
    }
    expect(asked).toEqual(['hooks.example']);
  });
});

describe('An address that is connected to', () => {
  it.each(['', 'x', '999.1.1.1', 'fe80::1%eth0'])('is not public when it is %j', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it('may be loopback where the setting allows it', () => {
    expect([mayConnect('127.0.0.1', false), mayConnect('127.0.0.1', true), mayConnect('10.0.0.1', true)]).toEqual([
      false,
      true,
      false,
    ]);
    expect([mayConnect('::1', true), mayConnect('::ffff:127.0.0.1', true), mayConnect('8.8.8.8', false)]).toEqual([
      true,
      true,
      true,
    ]);
  });
});
