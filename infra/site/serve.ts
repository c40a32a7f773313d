import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { gzipSync } from 'node:zlib';

/** A request for a file of the site, and what is answered; the body is base64, as gateways want it. */
export interface SiteRequest {
  path: string;
  header(name: string): string | undefined;
}
export interface SiteAnswer {
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

/** The files that stand in a folder, as answers; undefined for any other path. */
export function openSite(folder: string): Site {
  const assets = readdirSync(`${folder}/assets`).map((name) => [`/assets/${name}`, `assets/${name}`] as const);
  const files = new Map([...Object.entries(PAGES), ...assets]);
  const read = new Map<string, { plain: Buffer; zipped: Buffer; etag: string }>();

  function contentOf(file: string) {
    const known = read.get(file);
    if (known) return known;
    const plain = readFileSync(`${folder}/${file}`);
    const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
    const content = { plain, zipped: gzipSync(plain, { level: 9 }), etag };
    read.set(file, content);
    return content;
  }

  return ({ path, header }) => {
    const file = files.get(path);
    if (file === undefined) return undefined;
    const { plain, zipped, etag } = contentOf(file);
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
      body: (zips ? zipped : plain).toString('base64'),
      isBase64Encoded: true,
    };
  };
}
