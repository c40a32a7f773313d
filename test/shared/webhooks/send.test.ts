import { execFile } from 'node:child_process';
import type { Socket } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { readConfig } from '../../../shared/platform/config.ts';
import type { Resolve } from '../../../shared/platform/resolve.ts';
import { createSend } from '../../../shared/webhooks/send.ts';
import { testClock } from '../../harness.ts';
import { startRaw, startReceiver } from '../../receiver.ts';

const nowhere: Resolve = async () => [];
const leadsTo =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses;

const sender = (resolve: Resolve = nowhere, settings: Record<string, string> = {}) =>
  createSend({
    config: readConfig({ WEBHOOK_TIMEOUT_SECONDS: '0.4', ...settings }, true),
    clock: { ...testClock(), now: () => performance.now() },
    resolve,
  });
const post = (url: string, send = sender()) => send(url, { 'service-signature': 'sha256=00' }, '{"id":"evt_1"}');
const OK = 'HTTP/1.1 200 OK\r\n';

describe('A request to a receiver', () => {
  it('is a POST of the very body, with its signature and the name of the service', async () => {
    let method: string | undefined;
    let path: string | undefined;
    const receiver = await startReceiver((response, _, raw) => {
      method = raw.method;
      path = raw.url;
      response.end();
    });
    expect(await post(`${receiver.url}/a?b=c%20d#e`)).toMatchObject({ success: true, statusCode: 200, error: null });
    expect([method, path, receiver.requests[0]!.body]).toEqual(['POST', '/hook/a?b=c%20d', '{"id":"evt_1"}']);
    expect(receiver.requests[0]!.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': '14',
      'service-signature': 'sha256=00',
      'user-agent': 'conversation-ads-webhooks/1.0',
      host: `127.0.0.1:${receiver.port}`,
    });
  });

  it.each([200, 201, 202, 204, 299])('succeeds by %i', async (status) => {
    const receiver = await startReceiver((response) => response.writeHead(status).end());
    expect(await post(receiver.url)).toMatchObject({ success: true, statusCode: status, error: null });
  });

  it.each([300, 304, 400, 401, 404, 410, 429, 500, 503, 599])('fails by %i, and says so', async (status) => {
    const receiver = await startReceiver((response) => response.writeHead(status).end('internal detail of theirs'));
    const error = `The receiver answered ${status}`;
    expect(await post(receiver.url)).toMatchObject({ success: false, statusCode: status, error });
  });

  it.each([301, 302, 303, 307, 308])('follows no redirect: %i to a metadata address or to itself', async (status) => {
    const second = await startReceiver();
    for (const location of ['http://169.254.169.254/latest/meta-data/', second.url, '/hook']) {
      const first = await startReceiver((response) => response.writeHead(status, { location }).end());
      const error = `The receiver answered ${status}`;
      expect(await post(first.url)).toMatchObject({ success: false, statusCode: status, error });
      expect([first.requests.length, second.connections.made]).toEqual([1, 0]);
    }
  });
});

describe('A bad receiver', () => {
  const every = (ms: number, socket: Socket, act: () => void) => {
    const timer = setInterval(act, ms);
    socket.on('close', () => clearInterval(timer));
  };

  it.each<[string, (socket: Socket) => void]>([
    ['says nothing', () => {}],
    [
      'drips its headers',
      (socket) => {
        socket.write(OK);
        every(50, socket, () => socket.write('x-a: b\r\n'));
      },
    ],
    [
      'drips its body a byte at a time',
      (socket) => {
        socket.write(`${OK}content-length: 1000\r\n\r\n`);
        every(50, socket, () => socket.write('x'));
      },
    ],
    [
      'drips chunks without an end',
      (socket) => {
        socket.write(`${OK}transfer-encoding: chunked\r\n\r\n`);
        every(50, socket, () => socket.write('1\r\nx\r\n'));
      },
    ],
    [
      'sends early hints for ever',
      (socket) => every(50, socket, () => socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n')),
    ],
    ['promises a body and keeps still', (socket) => socket.write(`${OK}content-length: 10\r\n\r\n`)],
  ])('that %s has the time limit and no more', async (_, act) => {
    const receiver = await startRaw(act);
    const startedAt = performance.now();
    const sent = await post(receiver.url);
    expect(sent).toMatchObject({ success: false, statusCode: null, error: 'No answer within 0.4 s' });
    expect(performance.now() - startedAt).toBeLessThan(1_200);
    await vi.waitFor(() => expect(receiver.connections).toEqual({ made: 1, open: 0 }));
  });

  it.each<[string, (socket: Socket) => void]>([
    ['drops the connection', (socket) => socket.destroy()],
    ['drops it when it has read', (socket) => void socket.once('data', () => socket.resetAndDestroy())],
    ['ends without an answer', (socket) => void socket.once('data', () => socket.end())],
    ['drops it within its headers', (socket) => void socket.once('data', () => socket.end(`${OK}content-le`))],
    ['speaks something else', (socket) => void socket.write('SSH-2.0-OpenSSH_9.9\r\n')],
    [
      'sends headers without measure',
      (socket) => void socket.write(`${OK}${`x-pad: ${'y'.repeat(1000)}\r\n`.repeat(60)}\r\n`),
    ],
  ])('that %s is a failure at once', async (_, act) => {
    const receiver = await startRaw(act);
    const sent = await post(receiver.url, sender(nowhere, { WEBHOOK_TIMEOUT_SECONDS: '10' }));
    expect(sent).toMatchObject({ success: false, statusCode: null, error: expect.stringMatching(/./) });
    expect(sent.durationMs).toBeLessThan(3_000);
    await vi.waitFor(() => expect(receiver.connections.open).toBe(0));
  });

  it.each([
    ['with its length', 'content-length: 1073741824\r\n\r\n', 'x'.repeat(65_536)],
    ['in chunks', 'transfer-encoding: chunked\r\n\r\n', `10000\r\n${'x'.repeat(65_536)}\r\n`],
  ])('that sends a gigabyte %s is hung up on', async (_, head, piece) => {
    let written = 0;
    const receiver = await startRaw((socket) => {
      const more = () => {
        while (!socket.destroyed && written < 2 ** 30) {
          written += piece.length;
          if (!socket.write(piece)) return;
        }
      };
      socket.once('data', () => {
        socket.write(OK + head);
        more();
      });
      socket.on('drain', more);
    });
    const sent = await post(receiver.url, sender(nowhere, { WEBHOOK_TIMEOUT_SECONDS: '10' }));
    expect(sent).toMatchObject({ success: true, statusCode: 200 });
    await vi.waitFor(() => expect(receiver.connections.open).toBe(0));
    expect(written).toBeLessThan(16 * 1024 * 1024); // what the sockets of both sides hold, at most
    expect(sent.durationMs).toBeLessThan(2_000);
  });

  it('keeps nobody else waiting, not even on its own host', async () => {
    let requests = 0;
    const receiver = await startReceiver((response) => void (++requests > 3 && response.end()));
    const hanging = [post(receiver.url), post(receiver.url), post(receiver.url)];
    await vi.waitFor(() => expect(requests).toBe(3));
    const startedAt = performance.now();
    expect(await post(receiver.url)).toMatchObject({ success: true });
    expect(performance.now() - startedAt).toBeLessThan(300);
    await Promise.all(hanging);
  });
});

describe('Where a request goes', () => {
  const CLOUD = { WEBHOOK_ALLOW_LOCAL: 'false', WEBHOOK_TIMEOUT_SECONDS: '2' };

  it.each([
    ['a loopback address', ['127.0.0.1']],
    ['an IPv4-mapped one', ['::ffff:127.0.0.1']],
    ['a public and a private address', ['93.184.216.34', '127.0.0.1']],
    ['a private and a public address', ['127.0.0.1', '93.184.216.34']],
    ['a metadata address', ['169.254.169.254']],
    ['something that is no address', ['elsewhere.test']],
  ])('a name that leads to %s at delivery is not connected to at all', async (_, addresses) => {
    const receiver = await startReceiver();
    const sent = await post(`https://public.test:${receiver.port}/`, sender(leadsTo(...addresses), CLOUD));
    const error = 'public.test leads to a reserved address';
    expect(sent).toMatchObject({ success: false, statusCode: null, error });
    expect(receiver.connections.made).toBe(0);
  });

  it('a name without an address, and one that cannot be resolved, are failures that say so', async () => {
    expect(await post('https://gone.test/')).toMatchObject({ success: false, error: 'gone.test has no address' });
    const failing = sender(async () => Promise.reject(new Error('no answer from the name server')));
    expect(await post('https://gone.test/', failing)).toMatchObject({ error: 'no answer from the name server' });
    const mute = sender(() => new Promise<never>(() => {}));
    expect(await post('https://gone.test/', mute)).toMatchObject({ error: 'No answer within 0.4 s' });
  });

  it.each([
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://169.254.169.254/latest/',
    'https://2130706433/',
    'https://localhost/',
    'http://public.test/',
    'https://user:pass@public.test/',
    'file:///etc/passwd',
    'nothing',
  ])('%s is not asked, should it ever have been stored', async (url) => {
    const resolve = vi.fn(leadsTo('127.0.0.1'));
    expect(await post(url, sender(resolve, CLOUD))).toMatchObject({ success: false, statusCode: null });
    expect(resolve).not.toHaveBeenCalled();
  });

  it('a private address is refused where loopback is allowed, too', async () => {
    expect(await post('http://private.test/', sender(leadsTo('10.0.0.1')))).toMatchObject({
      error: 'private.test leads to a reserved address',
    });
  });

  it('every request asks anew: no connection to an address that the name no longer has is used', async () => {
    const first = await startReceiver();
    const second = await startReceiver(undefined, { port: first.port, host: '127.0.0.2' });
    let addresses = ['127.0.0.1'];
    const send = sender(async () => addresses);
    const url = `http://moving.test:${first.port}/`;
    expect(await post(url, send)).toMatchObject({ success: true });
    addresses = ['127.0.0.2'];
    expect(await post(url, send)).toMatchObject({ success: true });
    addresses = ['10.0.0.1'];
    expect(await post(url, send)).toMatchObject({ error: 'moving.test leads to a reserved address' });
    expect([first.requests.length, second.requests.length]).toEqual([1, 1]);
    expect(first.requests[0]!.headers.host).toBe(`moving.test:${first.port}`);
  });
});

describe('After a request', () => {
  const PATIENT = { timeout: 20_000 };
  const clock = testClock();
  const keeping = () =>
    createSend({ config: readConfig({ WEBHOOK_TIMEOUT_SECONDS: '5' }, true), clock, resolve: nowhere });

  it('its connection is kept for the next to the same receiver, which others at once do not wait for', async () => {
    const receiver = await startReceiver((response) => response.end('ok'));
    const other = await startReceiver();
    const send = keeping();
    for (let n = 0; n < 3; n++) expect(await post(receiver.url, send)).toMatchObject({ success: true });
    expect(await post(other.url, send)).toMatchObject({ success: true });
    expect([receiver.connections, other.connections.made]).toEqual([{ made: 1, open: 1 }, 1]);
    await Promise.all(Array.from({ length: 10 }, () => post(receiver.url, send)));
    expect(receiver.connections).toEqual({ made: 10, open: 10 });
  });

  it('its connection is not used again four seconds later, nor kept where the receiver closes it', async () => {
    const receiver = await startReceiver((response) => response.end('ok'));
    const closing = await startReceiver((response) => response.writeHead(200, { connection: 'close' }).end('ok'));
    const send = keeping();
    await post(receiver.url, send);
    clock.advance(4_000);
    await post(receiver.url, send);
    await vi.waitFor(() => expect(receiver.connections).toEqual({ made: 2, open: 1 }), PATIENT);
    for (let n = 0; n < 2; n++) expect(await post(closing.url, send)).toMatchObject({ success: true });
    await vi.waitFor(() => expect(closing.connections).toEqual({ made: 2, open: 0 }), PATIENT);
  });

  it('at most 64 connections are kept', async () => {
    const receiver = await startReceiver();
    const send = keeping();
    await Promise.all(Array.from({ length: 80 }, () => post(receiver.url, send)));
    await vi.waitFor(() => expect(receiver.connections).toEqual({ made: 80, open: 64 }), PATIENT);
  });

  it('a connection that is dead by then is no failure: the request is sent over a new one', async () => {
    const receiver = await startReceiver((response) => {
      if (receiver.requests.length === 2) response.socket!.resetAndDestroy();
      else response.end();
    });
    const send = keeping();
    await post(receiver.url, send);
    expect(await post(receiver.url, send)).toMatchObject({ success: true, statusCode: 200 });
    expect([receiver.requests.length, receiver.connections.made]).toEqual([3, 2]);
  });

  it('nothing keeps the process alive, whatever the receiver does', async () => {
    const hanging = await startRaw(() => {});
    const good = await startReceiver();
    const script = `
      import { readConfig } from './shared/platform/config.ts';
      import { createSend } from './shared/webhooks/send.ts';
      const send = createSend({ config: readConfig({ WEBHOOK_TIMEOUT_SECONDS: '0.2' }, true), clock: { now: Date.now }, resolve: async () => [] });
      console.log(JSON.stringify(await send('${hanging.url}', {}, '{}')));
      console.log((await send('${good.url}', {}, '{}')).success);
      process.on('exit', () => console.log(Math.round(performance.now() - sentAt) < 500));
      const sentAt = performance.now();
    `;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
    expect(stdout).toMatch(/"error":"No answer within 0.2 s"}\ntrue\ntrue\n$/);
  });

  it('what is said of a failure holds neither the path nor a header nor the body', async () => {
    const refused = await startReceiver();
    await refused.close();
    const send = sender();
    const secrets = { 'service-signature': 'sha256=5ec4e7', authorization: '5ec4e7' };
    for (const url of [`${refused.url}/5ec4e7?token=5ec4e7`, 'https://gone.test/5ec4e7']) {
      const { error } = await send(url, secrets, '{"a":"5ec4e7"}');
      expect(error).toMatch(/./);
      expect(error).not.toContain('5ec4e7');
    }
  });
});
