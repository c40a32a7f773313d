import { createHmac } from 'node:crypto';
import { secretPrefixes } from '../platform/values/ids.ts';
import type { Webhook } from './webhook.ts';

/** The secrets that sign now, newest first: the current secret, and each replaced one for a day after its replacement. */
export const getSigningSecrets = (
  { secret, previous }: Pick<Webhook, 'secret' | 'previous'>,
  now: number,
): string[] => [secret, ...previous.filter(({ until }) => now < until).map((replaced) => replaced.secret)];

/**
 * The signature headers of a delivery: `service-signature` (api 8.3), keyed with the secret's UTF-8 bytes; and the headers of Standard
 * Webhooks 1.0, keyed with the base64-decoded secret, over `id.timestamp.body`. If several secrets sign, each header lists all
 * signatures, the current secret's first.
 */
export function signatureHeaders(
  id: string,
  body: string,
  secrets: readonly string[],
  now: number,
): Record<string, string> {
  const timestamp = Math.floor(now / 1000);
  const service = secrets.map((secret) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  const standard = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(secretPrefixes.webhook.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'service-signature': service.join(','),
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': standard.join(' '),
  };
}

/** Generates a signing secret: `whsec_` and the base64 of 32 random bytes (Standard Webhooks, "Signature scheme"). */
export const generateSecret = (random: (count: number) => Uint8Array): string =>
  `${secretPrefixes.webhook}${Buffer.from(random(32)).toString('base64')}`;
