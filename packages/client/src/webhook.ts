import type { WebhookEvent } from './events.ts';

/** Fetch headers, or a plain object as in Node and its frameworks. */
export type WebhookHeaders = Headers | Record<string, string | readonly string[] | undefined>;

export interface VerifyOptions {
  /** The raw body, not parsed JSON. */
  body: string | Uint8Array;
  headers: WebhookHeaders;
  /** `whsec_…`; pass several while you rotate secrets. */
  secret: string | readonly string[];
  /**
   * `standard`: the headers of Standard Webhooks, which sign the ID, the timestamp, and the body. `service-signature`: that header only
   * signs the body, so it does not protect against replays. There is no fallback from one to the other: an attacker could otherwise
   * choose the weaker one by omitting headers.
   */
  scheme?: 'standard' | 'service-signature';
  /** Maximum difference between the delivery's timestamp and now. Default: 300. `service-signature` has no timestamp. */
  toleranceSeconds?: number;
  /** The current time in epoch milliseconds. Default: Date.now. */
  now?: () => number;
}

/** The delivery could not be verified. Respond with 400 or 401 and ignore the body. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly code:
    | 'missing_header'
    | 'bad_timestamp'
    | 'too_old'
    | 'too_new'
    | 'bad_signature'
    | 'bad_secret'
    | 'bad_body';

  constructor(code: WebhookError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

const TOLERANCE_SECONDS = 300;

/** Verifies a delivery and returns its event. @throws WebhookError if no secret matches or the timestamp is outside the tolerance */
export async function verifyWebhook(options: VerifyOptions): Promise<WebhookEvent> {
  const { body, secret, scheme = 'standard' } = options;
  checkOptions(options);
  const bytes = typeof body === 'string' ? utf8(body) : body;
  const secrets = typeof secret === 'string' ? [secret] : secret;
  const { signed, signatures, keyOf } = scheme === 'standard' ? standard(options, bytes) : service(options, bytes);
  for (const one of secrets) {
    const key = await crypto.subtle.importKey('raw', keyOf(one), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    for (const signature of signatures) {
      // Compares in constant time.
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) return eventOf(bytes);
    }
  }
  throw new WebhookError('bad_signature', 'No signature matches the secret');
}

/** Reports which option is invalid. @throws WebhookError */
function checkOptions({ body, headers, secret }: Partial<VerifyOptions>): void {
  if (secret === undefined || secret === null) throw new WebhookError('bad_secret', 'secret is missing');
  const secrets: readonly unknown[] = Array.isArray(secret) ? secret : [secret];
  if (secrets.length === 0 || secrets.some((one) => typeof one !== 'string' || one === ''))
    throw new WebhookError('bad_secret', 'secret is empty');
  if (typeof body !== 'string' && !ArrayBuffer.isView(body))
    throw new WebhookError('bad_body', 'body must be the raw text or bytes of the request, not parsed JSON');
  if (typeof headers !== 'object' || headers === null) throw new WebhookError('missing_header', 'headers is missing');
}

/** The signed content, the header's signatures, and the function that decodes a secret. */
interface Signed {
  signed: Bytes;
  signatures: Bytes[];
  keyOf: (secret: string) => Bytes;
}

type Bytes = Uint8Array<ArrayBuffer>;

function standard({ headers, now = Date.now, toleranceSeconds }: VerifyOptions, body: Uint8Array): Signed {
  const id = headerOf(headers, 'webhook-id');
  const time = headerOf(headers, 'webhook-timestamp');
  const list = headerOf(headers, 'webhook-signature');
  if (!/^\d{1,12}$/.test(time)) throw new WebhookError('bad_timestamp', 'webhook-timestamp is not a Unix timestamp');
  const ageSeconds = now() / 1000 - Number(time);
  const tolerance = toleranceSeconds ?? TOLERANCE_SECONDS;
  if (ageSeconds > tolerance) throw new WebhookError('too_old', 'The delivery is older than the tolerance');
  if (ageSeconds < -tolerance)
    throw new WebhookError('too_new', 'The timestamp of the delivery is too far in the future');
  return {
    signed: joined(utf8(`${id}.${time}.`), body),
    signatures: list.split(' ').flatMap((one) => (one.startsWith('v1,') ? bytesOf(one.slice('v1,'.length)) : [])),
    keyOf(secret) {
      const [key] = bytesOf(secret.replace(/^whsec_/, ''));
      if (!key) throw new WebhookError('bad_secret', 'The secret is not base64 after whsec_');
      return key;
    },
  };
}

function service({ headers }: VerifyOptions, body: Uint8Array): Signed {
  const list = headerOf(headers, 'service-signature');
  return {
    signed: joined(body),
    signatures: list.split(',').flatMap((one) => bytesOfHex(one.trim().replace(/^sha256=/, ''))),
    keyOf: utf8,
  };
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = isFetchHeaders(headers) ? headers.get(name) : lookUp(headers, name);
  if (!value) throw new WebhookError('missing_header', `The ${name} header is missing`);
  return value;
}

/** Frameworks may have their own class. */
const isFetchHeaders = (headers: WebhookHeaders): headers is Headers =>
  'get' in headers && typeof headers.get === 'function';

function lookUp(headers: Exclude<WebhookHeaders, Headers>, name: string): string | undefined {
  const value = Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : value?.[0];
}

function eventOf(body: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    throw new WebhookError('bad_body', 'The body is not JSON');
  }
}

const utf8 = (text: string): Bytes => new TextEncoder().encode(text);

function joined(...parts: Uint8Array[]): Bytes {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Empty if the text is not base64. */
function bytesOf(base64: string): Bytes[] {
  try {
    const binary = atob(base64);
    return binary === '' ? [] : [Uint8Array.from(binary, (character) => character.charCodeAt(0))];
  } catch {
    return [];
  }
}

function bytesOfHex(hex: string): Bytes[] {
  if (!/^[0-9a-f]{64}$/i.test(hex)) return [];
  return [Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))];
}
