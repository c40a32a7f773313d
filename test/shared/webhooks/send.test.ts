import { execFile } from 'node:child_process';
import type { Socket } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { readConfig } from '../../../shared/platform/config.ts';
import type { Resolve } from '../../../shared/platform/effects.ts';
import { createSend } from '../../../shared/webhooks/send.ts';
import { startReceiver, startTcpReceiver } from '../../receiver.ts';
import { createTestClock } from '../../service.ts';

const nowhere: Resolve = async () => [];
const leadsTo =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses;

/** The default time limit. Tests advance the clock instead of waiting. */
const LIMIT_MS = 10_000;
const clock = createTestClock();

const sender = (resolve: Resolve = nowhere, settings: Record<string, string> = {}) =>
  createSend({ config: readConfig(settings, true), clock, resolve });
const post = (url: string, send = sender()) => send(url, { 'service-signature': 'sha256=00' }, '{"id":"evt_1"}');
const OK = 'HTTP/1.1 200 OK\r\n';

describe('a request to a receiver', () => {
  it('posts the exact body with its signature and user agent', async () => {
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

  it.each([200, 201, 202, 204, 299])('succeeds with status %i', async (status) => {
    const receiver = await startReceiver((response) => response.writeHead(status).end());
    expect(await post(receiver.url)).toMatchObject({ success: true, statusCode: status, error: null });
  });

  it.each([300, 304, 400, 401, 404, 410, 429, 500, 503, 599])(
    'fails with status %i, and reports it',
    async (status) => {
      const receiver = await startReceiver((response) => response.writeHead(status).end('internal detail of theirs'));
      const error = `The receiver responded with ${status}`;
      expect(await post(receiver.url)).toMatchObject({ success: false, statusCode: status, error });
    },
  );

  it.each([301, 302, 303, 307, 308])(
    'follows no redirect: %i to a metadata address or to the receiver',
    async (status) => {
      const second = await startReceiver();
      for (const location of ['http://169.254.169.254/latest/meta-data/', second.url, '/hook']) {
        const first = await startReceiver((response) => response.writeHead(status, { location }).end());
        const error = `The receiver responded with ${status}`;
        expect(await post(first.url)).toMatchObject({ success: false, statusCode: status, error });
        expect([first.requests.length, second.connections.total]).toEqual([1, 0]);
      }
    },
  );
});

describe('a bad receiver', () => {
  /** Writes a chunk repeatedly as fast as the client reads; `written` counts the chunks. */
  const drip = (socket: Socket, piece: string, written: () => void) => {
    const timer = setInterval(() => {
      socket.write(piece);
      written();
    }, 1);
    socket.on('close', () => clearInterval(timer));
  };

  it.each<[string, (socket: Socket, written: () => void) => void]>([
    ['says nothing', (socket, written) => socket.on('data', written)],
    [
      'drips its headers',
      (socket, written) => {
        socket.write(OK);
        drip(socket, 'x-a: b\r\n', written);
      },
    ],
    [
      'drips its body a byte at a time',
      (socket, written) => {
        socket.write(`${OK}content-length: 100000\r\n\r\n`);
        drip(socket, 'x', written);
      },
    ],
    [
      'drips chunks forever',
      (socket, written) => {
        socket.write(`${OK}transfer-encoding: chunked\r\n\r\n`);
        drip(socket, '1\r\nx\r\n', written);
      },
    ],
    [
      'sends early hints forever',
      (socket, written) => drip(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n', written),
    ],
    [
      'announces a body and sends nothing',
      (socket, written) => {
        socket.write(`${OK}content-length: 10\r\n\r\n`);
        socket.on('data', written);
      },
    ],
  ])('that %s is aborted at the time limit', async (_, act) => {
    let pieces = 0;
    const receiver = await startTcpReceiver((socket) => act(socket, () => pieces++));
    const sending = post(receiver.url);
    await expect.poll(() => pieces).toBeGreaterThan(0);
    clock.advance(LIMIT_MS - 1);
    const before = pieces;
    if (before > 1) await expect.poll(() => pieces).toBeGreaterThan(before);
    expect(receiver.connections).toEqual({ total: 1, open: 1 });
    clock.advance(1);
    expect(await sending).toEqual({
      success: false,
      statusCode: null,
      durationMs: LIMIT_MS,
      error: 'No response within 10 s',
    });
    await expect.poll(() => receiver.connections).toEqual({ total: 1, open: 0 });
  });

  it.each<[string, (socket: Socket) => void]>([
    ['drops the connection', (socket) => socket.destroy()],
    ['drops it when it has read', (socket) => void socket.once('data', () => socket.resetAndDestroy())],
    ['ends without an answer', (socket) => void socket.once('data', () => socket.end())],
    ['drops it within its headers', (socket) => void socket.once('data', () => socket.end(`${OK}content-le`))],
    ['speaks something else', (socket) => void socket.write('SSH-2.0-OpenSSH_9.9\r\n')],
    [
      'sends unlimited headers',
      (socket) => void socket.write(`${OK}${`x-pad: ${'y'.repeat(1000)}\r\n`.repeat(60)}\r\n`),
    ],
  ])('that %s fails at once', async (_, act) => {
    const receiver = await startTcpReceiver(act);
    const error = expect.stringMatching(/./);
    expect(await post(receiver.url)).toMatchObject({ success: false, statusCode: null, durationMs: 0, error });
    await expect.poll(() => receiver.connections.open).toBe(0);
  });

  it.each([
    ['with its length', 'content-length: 1073741824\r\n\r\n', 'x'.repeat(65_536)],
    ['in chunks', 'transfer-encoding: chunked\r\n\r\n', `10000\r\n${'x'.repeat(65_536)}\r\n`],
  ])('that sends a gigabyte %s is disconnected', async (_, head, piece) => {
    let written = 0;
    const receiver = await startTcpReceiver((socket) => {
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
    expect(await post(receiver.url)).toMatchObject({ success: true, statusCode: 200, durationMs: 0 });
    await expect.poll(() => receiver.connections.open).toBe(0);
    expect(written).toBeLessThan(16 * 1024 * 1024); // at most the socket buffers of both sides
  });

  it('does not delay other requests, even to the same host', async () => {
    let requests = 0;
    const receiver = await startReceiver((response) => void (++requests > 3 && response.end()));
    const hanging = [post(receiver.url), post(receiver.url), post(receiver.url)];
    await expect.poll(() => requests).toBe(3);
    expect(await post(receiver.url)).toMatchObject({ success: true, durationMs: 0 });
    clock.advance(LIMIT_MS);
    expect(await Promise.all(hanging)).toMatchObject(hanging.map(() => ({ success: false })));
  });
});

describe('the target of a request', () => {
  const CLOUD = { WEBHOOK_ALLOW_LOCAL: 'false' };

  it.each([
    ['a loopback address', ['127.0.0.1']],
    ['an IPv4-mapped one', ['::ffff:127.0.0.1']],
    ['a public and a private address', ['93.184.216.34', '127.0.0.1']],
    ['a private and a public address', ['127.0.0.1', '93.184.216.34']],
    ['a metadata address', ['169.254.169.254']],
    ['something that is no address', ['elsewhere.test']],
  ])('is not connected if its name resolves to %s at delivery', async (_, addresses) => {
    const receiver = await startReceiver();
    const sent = await post(`https://public.test:${receiver.port}/`, sender(leadsTo(...addresses), CLOUD));
    const error = 'public.test leads to a reserved IP address';
    expect(sent).toMatchObject({ success: false, statusCode: null, error });
    expect(receiver.connections.total).toBe(0);
  });

  it('fails with an explanation if its name has no address or cannot be resolved', async () => {
    expect(await post('https://gone.test/')).toMatchObject({ success: false, error: 'gone.test has no IP address' });
    const failing = sender(async () => Promise.reject(new Error('no answer from the name server')));
    expect(await post('https://gone.test/', failing)).toMatchObject({ error: 'no answer from the name server' });
    const unanswered = post(
      'https://gone.test/',
      sender(() => new Promise<never>(() => {})),
    );
    clock.advance(LIMIT_MS);
    expect(await unanswered).toMatchObject({ error: 'No response within 10 s' });
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
  ])('is not connected even if it was stored: %s', async (url) => {
    const resolve = vi.fn(leadsTo('127.0.0.1'));
    expect(await post(url, sender(resolve, CLOUD))).toMatchObject({ success: false, statusCode: null });
    expect(resolve).not.toHaveBeenCalled();
  });

  it('rejects a private address even if loopback is allowed', async () => {
    expect(await post('http://private.test/', sender(leadsTo('10.0.0.1')))).toMatchObject({
      error: 'private.test leads to a reserved IP address',
    });
  });

  it('resolves the name again for every request, and reuses no connection to an old address', async () => {
    const first = await startReceiver();
    const second = await startReceiver(undefined, { port: first.port, host: '127.0.0.2' });
    let addresses = ['127.0.0.1'];
    const send = sender(async () => addresses);
    const url = `http://moving.test:${first.port}/`;
    expect(await post(url, send)).toMatchObject({ success: true });
    addresses = ['127.0.0.2'];
    expect(await post(url, send)).toMatchObject({ success: true });
    addresses = ['10.0.0.1'];
    expect(await post(url, send)).toMatchObject({ error: 'moving.test leads to a reserved IP address' });
    expect([first.requests.length, second.requests.length]).toEqual([1, 1]);
    expect(first.requests[0]!.headers.host).toBe(`moving.test:${first.port}`);
  });
});

describe('the connection after a request', () => {
  it('reuses the connection for the next request, and opens another for a concurrent one', async () => {
    const receiver = await startReceiver((response) => response.end('ok'));
    const other = await startReceiver();
    const send = sender();
    for (let n = 0; n < 3; n++) expect(await post(receiver.url, send)).toMatchObject({ success: true });
    expect(await post(other.url, send)).toMatchObject({ success: true });
    expect([receiver.connections, other.connections.total]).toEqual([{ total: 1, open: 1 }, 1]);
    await Promise.all(Array.from({ length: 10 }, () => post(receiver.url, send)));
    expect(receiver.connections).toEqual({ total: 10, open: 10 });
  });

  it('does not reuse a connection after four seconds, or if the receiver closes it', async () => {
    const receiver = await startReceiver((response) => response.end('ok'));
    const closing = await startReceiver((response) => response.writeHead(200, { connection: 'close' }).end('ok'));
    const send = sender();
    await post(receiver.url, send);
    clock.advance(4_000);
    await post(receiver.url, send);
    await expect.poll(() => receiver.connections).toEqual({ total: 2, open: 1 });
    for (let n = 0; n < 2; n++) expect(await post(closing.url, send)).toMatchObject({ success: true });
    await expect.poll(() => closing.connections).toEqual({ total: 2, open: 0 });
  });

  it('keeps at most 64 connections', async () => {
    const receiver = await startReceiver();
    const send = sender();
    await Promise.all(Array.from({ length: 80 }, () => post(receiver.url, send)));
    await expect.poll(() => receiver.connections).toEqual({ total: 80, open: 64 });
  });

  it('sends the request over a new connection if the kept one is dead', async () => {
    const receiver = await startReceiver((response) => {
      if (receiver.requests.length === 2) response.socket!.resetAndDestroy();
      else response.end();
    });
    const send = sender();
    await post(receiver.url, send);
    expect(await post(receiver.url, send)).toMatchObject({ success: true, statusCode: 200 });
    expect([receiver.requests.length, receiver.connections.total]).toEqual([3, 2]);
  });

  it('never keeps the process alive', async () => {
    const hanging = await startTcpReceiver(() => {});
    const good = await startReceiver();
    const script = `
      import { systemClock } from './shared/platform/system-clock.ts';
      import { readConfig } from './shared/platform/config.ts';
      import { createSend } from './shared/webhooks/send.ts';
      const config = readConfig({ WEBHOOK_TIMEOUT_SECONDS: '0.2' }, true);
      const send = createSend({ config, clock: systemClock, resolve: async () => [] });
      console.log((await send('${hanging.url}', {}, '{}')).error);
      while (!(await send('${good.url}', {}, '{}')).success); // 0.2 s may be too short on a busy machine
      await new Promise(setImmediate);
      console.log(process.getActiveResourcesInfo().filter((kind) => /TCP|Timeout/.test(kind)));
    `;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
    expect(stdout).toBe('No response within 0.2 s\n[]\n');
  });

  it('includes no path, header, or body in error messages', async () => {
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
