import type { Creative } from '../../campaigns/creative.ts';
import { isoTime } from '../../platform/clock.ts';
import type { Effects } from '../../platform/effects.ts';
import { secretPrefixes } from '../../platform/values/ids.ts';
import { type Bid, isOptedOut, toImpressionId } from './bid.ts';
import { createIsCrawler, getInvalidity, type Invalidity } from './click-validity.ts';
import { createCreatives } from './creatives.ts';
import { createBidStore } from './store.ts';

/** A request for a click URL. */
interface ClickRequest {
  requestId: string;
  method: string;
  header(name: string): string | undefined;
  /** Without its last octet. */
  ip: string;
  /** From the legacy API. */
  userId?: string;
  sessionId?: string;
  /** Finds only legacy ads of this key; undefined for click URLs, which need no key. */
  keyId?: string;
  /** Whether this is the click URL of Trusted Match offers, whose clicks may charge. */
  mayCharge?: boolean;
}

/** Replaces the client's details after an opt-out. */
const ANONYMOUS_CLIENT = { userAgent: '', referrer: '', ip: '' };
const ANONYMOUS_USER = { userId: '', sessionId: '' };

/** The clicked bid with its creative, which contains the landing URL. */
type ClickAttempt =
  | { outcome: 'unknown' }
  | { outcome: 'recorded'; bid: Bid & { creative: Creative }; reason: Invalidity | null };

/** Dependencies of recording a click attempt, including the instance's cached creatives and crawler names. */
type ClickContext = ReturnType<typeof createClickContext>;

const createClickContext = (effects: Pick<Effects, 'db' | 'clock' | 'ids' | 'config' | 'log'>) => ({
  ...effects,
  bids: createBidStore(effects),
  withCreative: createCreatives(effects),
  isCrawler: createIsCrawler(),
});

/** Binds `attemptClick` to one instance. */
export function createClickAttempts(
  effects: Pick<Effects, 'db' | 'clock' | 'ids' | 'config' | 'log'>,
): (id: string, request: ClickRequest) => Promise<ClickAttempt> {
  const context = createClickContext(effects);
  return (id, request) => attemptClick(context, id, request);
}

/** Records and logs a click attempt from the click URL or the legacy operation. An invalid attempt is logged with its reason. */
async function attemptClick(
  { bids, clock, log, withCreative, isCrawler }: ClickContext,
  id: string,
  { requestId, method, header, ip, userId = '', sessionId = '', keyId, mayCharge }: ClickRequest,
): Promise<ClickAttempt> {
  const at = clock.now();
  const fullClient = {
    userAgent: redactKeys(header('user-agent') ?? '').slice(0, 512),
    referrer: toPage(header('referer') ?? ''),
    ip,
  };
  const client = isOptedOut(id) ? ANONYMOUS_CLIENT : fullClient;
  const user = isOptedOut(id) ? ANONYMOUS_USER : { userId, sessionId };
  const click = { at, ...client, ...user, ...(keyId && { reported: true as const }) };
  const attempt = await bids.attemptClick(id, click, getInvalidity(method, header, isCrawler), { keyId, mayCharge });
  if (attempt.outcome === 'unknown') return attempt;
  const { reason } = attempt;
  const bid = await withCreative(attempt.bid);
  if (!bid) return { outcome: 'unknown' };
  log.info('click', {
    requestId,
    at: isoTime(at),
    ...client,
    campaignId: bid.campaignId,
    impressionId: toImpressionId(bid.id),
    bid: bid.price,
    auction: { bidId: bid.id, relevance: bid.relevance, countryCode: bid.countryCode, mode: bid.mode },
    counted: reason === null,
    reason,
  });
  return { outcome: 'recorded', bid, reason };
}

/** Strips credentials, query, and fragment from a referrer, because they may identify the user. */
function toPage(referrer: string): string {
  if (!URL.canParse(referrer)) return '';
  const { protocol, host, pathname } = new URL(referrer);
  return host ? redactKeys(`${protocol}//${host}${pathname}`).slice(0, 512) : '';
}

const KEYS = new RegExp(`${secretPrefixes.apiKey}(live|test)_\\w+`, 'g');
const redactKeys = (text: string): string => text.replace(KEYS, `${secretPrefixes.apiKey}$1_****`);
