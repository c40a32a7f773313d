import { createHmac } from 'node:crypto';
import { secretPrefixes } from '../platform/values/ids.ts';
import type { Webhook } from './webhook.ts';

/** The active signing secrets, newest first: the current one, and those replaced within the last day. */
export const getSigningSecrets = (
  { secret, previous }: Pick<Webhook, 'secret' | 'previous'>,
  now: number,
): string[] => [secret, ...previous.filter(({ until }) => now < until).map((replaced) => replaced.secret)];

/**
 * The signature headers of a delivery. `service-signature` (api 8.3) is keyed with the secret's UTF-8 bytes. The Standard Webhooks 1.0
 * headers sign `id.timestamp.body` with the base64-decoded secret. If several secrets sign, each header lists all signatures, current secret
 * first.
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
