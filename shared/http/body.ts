import { bodyLimit } from 'hono/body-limit';
import { createMiddleware } from 'hono/factory';
import { gunzip } from '../platform/gzip.ts';
import type { AppContext, AppEnv } from './env.ts';
import { ApiError, invalid, tooLarge, unsupportedCoding } from './errors.ts';
import type { Area } from './operations/rows.ts';

/** Maximum bytes of a body, as it is sent and after decompression. */
const MAX_BODY_BYTES = 1024 * 1024;
const UNCODED = /^(identity)?$/i;
/** RFC 9110, section 8.4.1.3: `x-gzip` is the same coding. */
const GZIP = /^(x-)?gzip$/i;

/**
 * Reads the whole body, decompressed, before the deadline starts. In Lambda the body is complete from the start, so deadlines begin at the
 * same moment in all runtimes, and a timeout never waits for the rest of a body. A body that cannot be decompressed sets `bodyFault`, which
 * only operations with a body refuse. @throws ApiError 413, or 400 if the body ends early
 */
export function readBody(areaOf: (c: AppContext) => Area) {
  const limit = bodyLimit({
    maxSize: MAX_BODY_BYTES,
    onError: () => {
      throw tooLarge();
    },
  });
  return createMiddleware<AppEnv>(async (c, next) => {
    const invalidBody = (message: string) => invalid(areaOf(c), [{ path: '', message }]);
    try {
      await limit(c, async () => {
        if (!UNCODED.test(c.req.header('content-encoding') ?? '')) await decodeBody(c, invalidBody);
        await c.req.text();
      });
      c.set('isBodyRead', true);
    } catch (error) {
      if (error instanceof ApiError) throw error;
      throw invalidBody('The body ended before it was complete');
    }
    await next();
  });
}

/** Replaces the request by one with the decompressed body, so that all later code sees what was compressed. Or sets `bodyFault`. */
async function decodeBody(c: AppContext, invalidBody: (message: string) => ApiError): Promise<void> {
  const { raw } = c.req;
  if (!raw.body) return;
  const sent = new Uint8Array(await raw.arrayBuffer());
  const decoded = sent.length > 0 ? decompress(sent, c.req.header('content-encoding'), invalidBody) : sent;
  const isFault = decoded instanceof ApiError;
  if (isFault) c.set('bodyFault', decoded);
  const headers = new Headers(raw.headers);
  headers.delete('content-encoding');
  c.req.raw = new Request(raw.url, { method: raw.method, headers, body: isFault ? sent : decoded });
}

function decompress(sent: Uint8Array, coding = '', invalidBody: (message: string) => ApiError) {
  if (!GZIP.test(coding)) return unsupportedCoding();
  const decompressed = gunzip(sent, MAX_BODY_BYTES);
  if (decompressed === 'too large') return tooLarge();
  return decompressed === 'damaged'
    ? invalidBody('The body must be valid gzip, as Content-Encoding says')
    : decompressed;
}
