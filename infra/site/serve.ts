import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { SiteSettings } from '../../shared/platform/values/site-settings.ts';
import type { Files } from './files.ts';

/** A request for a file of the site, and its response. The body is base64, as the gateway requires for binary data. */
interface SiteRequest {
  path: string;
  header(name: string): string | undefined;
}
interface SiteResponse {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
  isBase64Encoded: boolean;
}
export type Site = (request: SiteRequest) => SiteResponse | undefined;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.py': 'text/x-python; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
};

/**
 * Content security policy: scripts, styles, and requests only from this origin, so injected markup cannot run. Images come from
 * advertisers, and tokens from the sign-in origins.
 */
const createPolicy = (signIn: SiteSettings['signIn']) => [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' https:",
  ["connect-src 'self'", ...(signIn?.origins ?? [])].join(' '),
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

/** Swagger UI needs data URLs for its icons, and inline styles. */
const toViewerPolicy = (policy: string[]) =>
  policy.map((rule) =>
    rule.startsWith('style-src')
      ? `${rule} 'unsafe-inline'`
      : rule.startsWith('img-src')
        ? "img-src 'self' data:"
        : rule,
  );

/** Paths of the web app, which routes on the client: `/campaigns`, `/campaigns/cmp_…/edit`. */
const PAGE = /^\/($|(signed-in|chat|activity|statements)$|(campaigns|webhooks|publisher)(\/[\w-]+(\/edit)?)?$)/;
/** The documents' index, and a document: `/docs/publisher`. */
const DOCUMENT = /^\/docs(\/[a-z-]+)?$/;
/** The documents as Markdown, and their list for language models. */
const TEXT = /^\/(llms\.txt|(docs|infra|packages)\/.+\.md)$/;
const VIEWER = 'docs/reference.html';
/** Some browsers request this even if a page names another icon. They go by content type, not extension. */
const ICON = '/favicon.ico';

/** The file to serve for a path. */
function findFile(path: string): string | undefined {
  if (PAGE.test(path)) return 'index.html';
  if (DOCUMENT.test(path)) return `${path.slice(1)}.html`;
  if (path === ICON) return 'assets/icon.svg';
  return path.startsWith('/assets/') || TEXT.test(path) ? path.slice(1) : undefined;
}

/** Paths that can never be a page, so their callers do not expect HTML. */
const NO_PAGE = /^\/(api|assets)(\/|$)/i;

function readSignIn(settings: Buffer): SiteSettings['signIn'] {
  const { signIn }: SiteSettings = JSON.parse(settings.toString());
  return signIn;
}

/** Serves files; returns undefined for other paths. */
export function createSite(files: Files): Site {
  const settings = files.get('assets/settings.json');
  const policy = createPolicy(settings ? readSignIn(settings) : null);
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
    const known = findFile(path);
    const isThere = known !== undefined && files.has(known);
    // A browser gets the web app, which shows its own not-found page.
    const isMistyped = !isThere && !NO_PAGE.test(path) && /\btext\/html\b/.test(header('accept') ?? '');
    const file = isMistyped ? 'index.html' : known;
    const content = file && files.get(file);
    if (!content) return undefined;
    const { zipped, etag } = pack(file, content);
    const headers = {
      'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
      'content-security-policy': (file === VIEWER ? toViewerPolicy(policy) : policy).join('; '),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-cache',
      vary: 'accept-encoding',
      etag,
    };
    if (!isMistyped && header('if-none-match') === etag)
      return { statusCode: 304, headers, body: '', isBase64Encoded: false };
    const zips = /\bgzip\b/.test(header('accept-encoding') ?? '');
    return {
      statusCode: isMistyped ? 404 : 200,
      headers: { ...headers, ...(zips && { 'content-encoding': 'gzip' }) },
      body: (zips ? zipped : content).toString('base64'),
      isBase64Encoded: true,
    };
  };
}
