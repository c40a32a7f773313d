import { type Agent, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { HttpRequest } from './requests.ts';

export interface HttpResponse {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** A runtime may compress the response if the request accepts it. */
const decoded = (bytes: Buffer, encoding: string | undefined): Buffer =>
  encoding === 'gzip' ? gunzipSync(bytes) : encoding === 'br' ? brotliDecompressSync(bytes) : bytes;

/** Uses a new connection by default, because the server may close a kept one at the moment of its reuse. */
export function sendHttp(
  { method, target, headers, body }: Omit<HttpRequest, 'row'>,
  port: number,
  agent: Agent | false = false,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const options = { host: '127.0.0.1', port, path: target, method, headers: { ...headers, ...length }, agent };
    const sent = request(options, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      const named = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
      const text = decoded(Buffer.concat(chunks), response.headers['content-encoding']).toString();
      resolve({ status: response.statusCode ?? 0, headers: Object.fromEntries(named), text });
    });
    sent.once('error', reject);
    sent.end(body);
  });
}
