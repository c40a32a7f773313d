import type { Creative } from '../../campaigns/creative.ts';
import { isoTime } from '../../platform/clock.ts';
import type { Effects } from '../../platform/effects.ts';
import { secretPrefixes } from '../../platform/values/ids.ts';
import { type Bid, impressionIdOf, isOptedOut } from './bid.ts';
import { createIsCrawler } from './crawlers.ts';
import { createCreatives } from './creatives.ts';
import { bidStore } from './store.ts';
import { type Invalidity, invalidityOf } from './validity.ts';

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
const NOTHING_SEEN = { userAgent: '', referrer: '', ip: '' };
const NOBODY_NAMED = { userId: '', sessionId: '' };

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
  const bids = bidStore(effects);
  const withCreative = createCreatives(effects);
  const isCrawler = createIsCrawler();

  return async function attemptClick(
    id: string,
    { requestId, method, header, ip, userId = '', sessionId = '', keyId, mayCharge }: ClickRequest,
  ): Promise<ClickAttempt> {
    const at = clock.now();
    const whole = {
      userAgent: withoutKeys(header('user-agent') ?? '').slice(0, 512),
      referrer: pageOf(header('referer') ?? ''),
      ip,
    };
    const seen = isOptedOut(id) ? NOTHING_SEEN : whole;
    const click = { at, ...seen, ...(isOptedOut(id) ? NOBODY_NAMED : { userId, sessionId }) };
    const attempt = await bids.attemptClick(id, click, invalidityOf(method, header, isCrawler), { keyId, mayCharge });
    if (attempt.outcome === 'unknown') return attempt;
    const { reason } = attempt;
    const bid = await withCreative(attempt.bid);
    if (!bid) return { outcome: 'unknown' };
    log.info('click', {
      requestId,
      at: isoTime(at),
      ...seen,
      campaignId: bid.campaignId,
      impressionId: impressionIdOf(bid.id),
      bid: bid.price,
      auction: { bidId: bid.id, relevance: bid.relevance, countryCode: bid.countryCode, mode: bid.mode },
      counted: reason === null,
      reason,
    });
    return { outcome: 'recorded', bid, reason };
  };
}

/** The page that a click came from, without what may tell of its reader: credentials, query and fragment. */
function pageOf(referrer: string): string {
  if (!URL.canParse(referrer)) return '';
  const { protocol, host, pathname } = new URL(referrer);
  return host ? withoutKeys(`${protocol}//${host}${pathname}`).slice(0, 512) : '';
}

const KEYS = new RegExp(`${secretPrefixes.apiKey}(live|test)_\\w+`, 'g');
const withoutKeys = (text: string): string => text.replace(KEYS, `${secretPrefixes.apiKey}$1_****`);
