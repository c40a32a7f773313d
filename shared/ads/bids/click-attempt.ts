import type { Creative } from '../../campaigns/creative.ts';
import { isoTime } from '../../platform/clock.ts';
import type { Effects } from '../../platform/effects.ts';
import { secretPrefixes } from '../../platform/values/ids.ts';
import { type Bid, isOptedOut, toImpressionId } from './bid.ts';
import { createIsCrawler, getInvalidity, type Invalidity } from './click-validity.ts';
import { createCreatives } from './creatives.ts';
import { createBidStore } from './store.ts';

/** What is known of somebody who comes to an ad's address. */
interface ClickRequest {
  requestId: string;
  method: string;
  header(name: string): string | undefined;
  /** Without its last octet. */
  ip: string;
  /** Whom the legacy API names. */
  userId?: string;
  sessionId?: string;
  /** The key whose legacy ads alone are known; undefined where nobody needs one. */
  keyId?: string;
  /** Whether the address is that of offers of Trusted Match, whose clicks may charge. */
  mayCharge?: boolean;
}

/** What is kept, and logged, of who clicks after an opt-out. */
const ANONYMOUS_CLIENT = { userAgent: '', referrer: '', ip: '' };
const ANONYMOUS_USER = { userId: '', sessionId: '' };

/** An ad that somebody came to, with the creative that leads on. */
type ClickAttempt =
  | { outcome: 'unknown' }
  | { outcome: 'recorded'; bid: Bid & { creative: Creative }; reason: Invalidity | null };

/**
 * A click attempt on an ad, by its redirecting address or by the legacy operation: the same click, kept and logged. Attempts that are no
 * valid click are logged too, with the reason.
 */
export function createClickAttempts(effects: Pick<Effects, 'db' | 'clock' | 'ids' | 'config' | 'log'>) {
  const { clock, log } = effects;
  const bids = createBidStore(effects);
  const withCreative = createCreatives(effects);
  const isCrawler = createIsCrawler();

  return async function attemptClick(
    id: string,
    { requestId, method, header, ip, userId = '', sessionId = '', keyId, mayCharge }: ClickRequest,
  ): Promise<ClickAttempt> {
    const at = clock.now();
    const whole = {
      userAgent: redactKeys(header('user-agent') ?? '').slice(0, 512),
      referrer: toPage(header('referer') ?? ''),
      ip,
    };
    const seen = isOptedOut(id) ? ANONYMOUS_CLIENT : whole;
    const click = { at, ...seen, ...(isOptedOut(id) ? ANONYMOUS_USER : { userId, sessionId }) };
    const attempt = await bids.attemptClick(id, click, getInvalidity(method, header, isCrawler), { keyId, mayCharge });
    if (attempt.outcome === 'unknown') return attempt;
    const { reason } = attempt;
    const bid = await withCreative(attempt.bid);
    if (!bid) return { outcome: 'unknown' };
    log.info('click', {
      requestId,
      at: isoTime(at),
      ...seen,
      campaignId: bid.campaignId,
      impressionId: toImpressionId(bid.id),
      bid: bid.price,
      auction: { bidId: bid.id, relevance: bid.relevance, countryCode: bid.countryCode, mode: bid.mode },
      counted: reason === null,
      reason,
    });
    return { outcome: 'recorded', bid, reason };
  };
}

/** The page that a click came from, without what may tell of its reader: credentials, query and fragment. */
function toPage(referrer: string): string {
  if (!URL.canParse(referrer)) return '';
  const { protocol, host, pathname } = new URL(referrer);
  return host ? redactKeys(`${protocol}//${host}${pathname}`).slice(0, 512) : '';
}

const KEYS = new RegExp(`${secretPrefixes.apiKey}(live|test)_\\w+`, 'g');
const redactKeys = (text: string): string => text.replace(KEYS, `${secretPrefixes.apiKey}$1_****`);
