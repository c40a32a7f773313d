import type { Effects } from '../effects.ts';
import { createIsCrawler } from './crawlers.ts';
import { disqualify } from './genuine.ts';
import { bidStore, type Visit } from './store.ts';

/** What is known of somebody who comes to an ad's address. */
export interface Visitor {
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
}

/** A visit of an ad, by its redirecting address or by the legacy operation: the same click, kept and logged with the reason if it is none. */
export function createVisits(effects: Pick<Effects, 'db' | 'clock' | 'ids' | 'config' | 'log'>) {
  const { clock, log } = effects;
  const bids = bidStore(effects);
  const isCrawler = createIsCrawler();

  return async function visit(
    id: string,
    { requestId, method, header, ip, userId = '', sessionId = '', keyId }: Visitor,
  ): Promise<Visit> {
    const seen = {
      at: clock.now(),
      userAgent: withoutKeys(header('user-agent') ?? '').slice(0, 512),
      referrer: siteOf(header('referer') ?? ''),
      ip,
    };
    const visit = await bids.visit(id, { ...seen, userId, sessionId }, disqualify(method, header, isCrawler), keyId);
    if (visit.outcome === 'unknown') return visit;
    const { bid, reason } = visit;
    log.info('click', {
      requestId,
      ...seen,
      campaignId: bid.campaignId,
      impressionId: bid.id,
      bid: bid.price,
      auction: { relevance: bid.relevance, countryCode: bid.countryCode, mode: bid.mode },
      counted: reason === null,
      reason,
    });
    return visit;
  };
}

/** The site that a click came from. The page may name a conversation, and older pages have their key in the query. */
function siteOf(referrer: string): string {
  if (!URL.canParse(referrer)) return '';
  const { protocol, host } = new URL(referrer);
  return host ? `${protocol}//${host}/`.slice(0, 512) : '';
}

const withoutKeys = (text: string): string => text.replace(/ak_(live|test)_\w+/g, 'ak_$1_****');
