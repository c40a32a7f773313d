import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';
import type { Envelope } from '../shared/webhooks/events/envelope.ts';

interface Received {
  path: string;
  headers: Record<string, string>;
  /** The body as received. */
  raw: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any part of a body
  event: Omit<Envelope, 'data'> & { data: any };
}

/** A webhook receiver on this machine that responds with 200 and records its requests, for all tests of a file. */
export function useEventReceiver() {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const raw = Buffer.concat(chunks).toString();
    received.push({ path: request.url!, headers: request.headers as never, raw, event: JSON.parse(raw) });
    response.end('ok');
  });
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    received,
    url: (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    /** The events received at a path, of a type. */
    at: (path: string, type?: string) =>
      received.filter((one) => one.path === path && (!type || one.event.type === type)),
  };
}

/** Whether a delivery has valid signatures in both formats (api 8.3; Standard Webhooks). */
export function isSigned({ headers, raw }: Received, secret: string): boolean {
  const hex = createHmac('sha256', secret).update(raw).digest('hex');
  const id = headers['webhook-id'];
  const signed = headers['service-signature'] === `sha256=${hex}` && id === (JSON.parse(raw) as Envelope).id;
  const toSign = `${id}.${headers['webhook-timestamp']}.${raw}`;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return signed && headers['webhook-signature'] === `v1,${createHmac('sha256', key).update(toSign).digest('base64')}`;
}
