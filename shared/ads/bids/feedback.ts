import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Effects } from '../../platform/effects.ts';
import { createSecretReader } from '../../platform/service-secret.ts';

/** 132 bits. */
const SIGNATURE_DIGITS = 22;
const TOKEN = new RegExp(`^([0-9a-f]{32})([\\w-]{${SIGNATURE_DIGITS}})$`);

/**
 * Signs the ID of a bid. The ID alone must not be enough for feedback, because the advertiser learns it from every click. No user ID begins
 * with a control character, so this hash never equals that of a conversation under the same secret.
 */
const sign = (secret: string, hex: string): string =>
  createHmac('sha256', secret).update(`\x01feedback\n${hex}`).digest('base64url').slice(0, SIGNATURE_DIGITS);

/** The URLs through which readers report that an ad is not relevant. The signature alone decides whether one is ours, so a forged one reads no bid. */
export function createFeedbackUrls(effects: Pick<Effects, 'db' | 'ids' | 'config'>) {
  const readSecret = createSecretReader(effects);

  return {
    async toUrl(bidId: string): Promise<string> {
      const hex = bidId.replaceAll('-', '');
      return `${effects.config.baseUrl}/api/v1/feedback/${hex}${sign(await readSecret(), hex)}`;
    },

    /** The ID of the bid for which a token was signed; undefined if it was not signed here. */
    async toBidId(token: string): Promise<string | undefined> {
      const [, hex = '', signature = ''] = TOKEN.exec(token) ?? [];
      if (!hex || !timingSafeEqual(Buffer.from(signature), Buffer.from(sign(await readSecret(), hex))))
        return undefined;
      return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    },
  };
}
