import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Files } from './files.ts';

/** A request for a file of the site, and what is answered; the body is base64, as gateways want it. */
interface SiteRequest {
  path: string;
  header(name: string): string | undefined;
}
interface SiteAnswer {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
  isBase64Encoded: boolean;
}
export type Site = (request: SiteRequest) => SiteAnswer | undefined;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};

/** Scripts, styles and requests of this origin alone: whatever markup got into the page could do nothing. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

/** The viewer of the OpenAPI document brings its icons as data, and styles in its markup. */
const VIEWER_POLICY = POLICY.map((rule) =>
  rule.startsWith('style-src') ? `${rule} 'unsafe-inline'` : rule.startsWith('img-src') ? `${rule} data:` : rule,
);

const PAGES: Readonly<Record<string, string>> = { '/': 'index.html', '/docs': 'docs.html' };
/** A document, `/docs/publisher`. */
const DOCUMENT = /^\/docs\/[a-z-]+$/;

/** Files as answers; undefined for any other path. */
export function createSite(files: Files): Site {
  const packed = new Map<string, { zipped: Buffer; etag: string }>();

  function pack(file: string, content: Buffer) {
    const known = packed.get(file);
    if (known) return known;
    const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
    const made = { zipped: gzipSync(content, { level: 9 }), etag };
    packed.set(file, made);
    return made;
  }

  return ({ path, header }) => {
    const isDocument = DOCUMENT.test(path);
    const file = PAGES[path] ?? path.slice(1) + (isDocument ? '.html' : '');
    const content = path.startsWith('/assets/') || path in PAGES || isDocument ? files.get(file) : undefined;
    if (!content) return undefined;
    const { zipped, etag } = pack(file, content);
    const headers = {
      'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
      'content-security-policy': (file === 'docs.html' ? VIEWER_POLICY : POLICY).join('; '),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-cache',
      vary: 'accept-encoding',
      etag,
    };
    if (header('if-none-match') === etag) return { statusCode: 304, headers, body: '', isBase64Encoded: false };
    const zips = /\bgzip\b/.test(header('accept-encoding') ?? '');
    return {
      statusCode: 200,
      headers: { ...headers, ...(zips && { 'content-encoding': 'gzip' }) },
      body: (zips ? zipped : content).toString('base64'),
      isBase64Encoded: true,
    };
  };
}
