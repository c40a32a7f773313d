import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Effects } from '../../platform/effects.ts';
import { createSecretReader } from '../../platform/service-secret.ts';

/** 132 bits. */
const SIGNATURE_DIGITS = 22;
const TOKEN = new RegExp(`^([0-9a-f]{32})([\\w-]{${SIGNATURE_DIGITS}})$`);

/** What a reader's client reports: that the ad is not relevant, or that it was viewable. Also the name of the operation in the URL. */
type Report = 'feedback' | 'viewable';

/**
 * Signs the ID of a bid for one kind of report, so that a token for one is not valid for the other. The ID alone must not be enough, because
 * the advertiser learns it from every click. No user ID begins with a control character, so this hash never equals that of a conversation
 * under the same secret.
 */
const sign = (secret: string, report: Report, hex: string): string =>
  createHmac('sha256', secret).update(`\x01${report}\n${hex}`).digest('base64url').slice(0, SIGNATURE_DIGITS);

/** The URLs to which the clients of readers report. The signature alone decides whether one is ours, so a forged one reads no bid. */
export function createReaderUrls(effects: Pick<Effects, 'db' | 'ids' | 'config'>) {
  const readSecret = createSecretReader(effects);

  return {
    async toUrls(bidId: string): Promise<{ feedbackUrl: string; viewableUrl: string }> {
      const secret = await readSecret();
      const hex = bidId.replaceAll('-', '');
      const toUrl = (report: Report) => `${effects.config.baseUrl}/api/v1/${report}/${hex}${sign(secret, report, hex)}`;
      return { feedbackUrl: toUrl('feedback'), viewableUrl: toUrl('viewable') };
    },

    /** The ID of the bid for which a token was signed; undefined if it was not signed here, or for another kind of report. */
    async toBidId(report: Report, token: string): Promise<string | undefined> {
      const [, hex = '', signature = ''] = TOKEN.exec(token) ?? [];
      if (!hex || !timingSafeEqual(Buffer.from(signature), Buffer.from(sign(await readSecret(), report, hex))))
        return undefined;
      return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    },
  };
}
