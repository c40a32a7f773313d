import { secretPrefixes } from '../platform/values/ids.ts';

/** A signing secret: `whsec_` and the base64 of 32 random bytes (Standard Webhooks, "Signature scheme"). */
export const mintSecret = (random: (count: number) => Uint8Array): string =>
  `${secretPrefixes.webhook}${Buffer.from(random(32)).toString('base64')}`;
