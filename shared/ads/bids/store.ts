import { MAX_CONVERSION_WINDOW_DAYS } from '../../campaigns/campaign.ts';
import type { ShownCreative } from '../../campaigns/creative-versions.ts';
import { DAY_MS, ttlAt } from '../../platform/clock.ts';
import type { Write } from '../../platform/database.ts';
import type { Effects } from '../../platform/effects.ts';
import { isUuid } from '../../platform/ids.ts';
import { getItemSize } from '../../platform/item-size.ts';
import {
  type Bid,
  type Click,
  type ClickCounters,
  type ExchangeTerms,
  hasCreative,
  type Issued,
  type LegacyContext,
  type Served,
  toOptedOutId,
} from './bid.ts';
import type { Invalidity } from './click-validity.ts';

/** Retention of a served bid: clicks may arrive long after the impression. */
const SHOWN_TTL_MS = 90 * DAY_MS;
/** Retention after a click, so that a conversion on the last day of the longest window finds its bid. */
const CLICKED_TTL_MS = (MAX_CONVERSION_WINDOW_DAYS + 1) * DAY_MS;
/** How long a publisher of the legacy API or Trusted Match may take to report an impression. */
const UNREPORTED_VALID_MS = DAY_MS;
/** Retention of an ad without a reported impression: a day if it has a conversation, as for the conversation itself. */
const getUnservedTtlMs = ({ conversation }: NewBid): number => (conversation ? DAY_MS : SHOWN_TTL_MS);

export type NewBid = Omit<Issued, 'id' | 'state' | 'issuedAt' | 'validUntil' | 'ttl'>;

/** Stores the creative version if there is one, otherwise the creative itself. */
const toStoredCreative = ({ creativeVersion, creative }: Pick<Issued, 'creativeVersion' | 'creative'>) =>
  creativeVersion ? { creativeVersion } : { creative };

/** Result of a click attempt. `bid` has a click once one attempt was valid. */
type RecordedClick = { outcome: 'unknown' } | { outcome: 'recorded'; bid: Bid; reason: Invalidity | null };

/** Moves a bid from issued to served, if it is still issued and valid. */
export const serveBid = ({
  id,
  servedAt,
  creativeVersion,
  creative,
  charged,
  day,
  shown,
  terms,
}: Served): Write<'bids'> => ({
  table: 'bids',
  key: { id },
  update:
    'SET #state = :served, #servedAt = :servedAt, #charged = :charged, #day = :day, #ttl = :ttl, #terms = :terms, #impressionCounted = :true, ' +
    (creativeVersion ? '#creativeVersion = :creativeVersion' : '#creative = :creative') +
    (shown ? ', #shown = :shown' : '') +
    ' REMOVE #conversation, #conversationCode', // this transaction counts the ad in its conversation, so the reference is no longer needed
  when: '#state = :issued AND #validUntil > :servedAt', // concurrent retrievals: only one of them charges
  values: {
    served: 'served',
    issued: 'issued',
    true: true, // the charge in the same transaction counts it
    servedAt,
    charged,
    day,
    terms,
    ttl: ttlAt(servedAt + SHOWN_TTL_MS),
    ...toStoredCreative({ creativeVersion, creative }),
    ...(shown && { shown }),
  },
});

/** What the client of a reader reports about a served ad. Also the name of the attribute that stores it. */
type ReaderReport = 'notRelevant' | 'viewable';

/** Marks a fact of a bid as counted. The condition fails if it already is, so a repeated record counts nothing. */
export const markCounted = (
  bidId: string,
  fact: 'impression' | 'click' | 'clicker' | 'charge' | ReaderReport,
): Write<'bids'> => ({
  table: 'bids',
  key: { id: bidId },
  update: `SET #${fact}Counted = :true`,
  when: `attribute_exists(#id) AND attribute_not_exists(#${fact}Counted)`,
  values: { true: true },
});

/** Counts a notice that does not charge. */
export const countNotice = (id: string, notice: string): Write<'bids'> => ({
  table: 'bids',
  key: { id },
  update: `ADD #${notice}Notices :one`,
  when: 'attribute_exists(#id)', // an unconditional ADD would recreate a bid that the TTL deleted
  values: { one: 1 },
  once: true,
});

/** Trusted Match offers stay valid for longer, because the protocol has no field for their expiry. */
const getExchangeValidMs = ({ byClick }: ExchangeTerms, bidTtlMs: number): number =>
  byClick ? UNREPORTED_VALID_MS : bidTtlMs;

/** A larger record takes a second write unit. */
const MAX_ISSUED_BYTES = 1024;

/** Leaves the last seller out of a record that is too large with it, as one with very long owner ids can be. */
const withinLimit = (bid: Issued): Issued =>
  bid.schain?.asi && getItemSize(bid) > MAX_ISSUED_BYTES ? { ...bid, schain: { complete: bid.schain.complete } } : bid;

export function createBidStore({ db, clock, ids, config }: Pick<Effects, 'db' | 'clock' | 'ids' | 'config'>) {
  async function put(bid: NewBid, validMs: number, retentionMs = validMs): Promise<Issued> {
    const now = clock.now();
    const ttl = ttlAt(now + retentionMs);
    const { conversation } = bid;
    const issued = withinLimit({
      ...bid,
      ...(conversation && hasCreative(bid) && { conversation: { ...conversation, until: ttl } }),
      id: bid.optOut ? toOptedOutId(ids.uuid()) : ids.uuid(),
      state: 'issued',
      issuedAt: now,
      validUntil: now + validMs,
      ttl,
    });
    // A timed-out attempt may still reach the store after its retry. It must not overwrite a bid that has been served by then.
    await db.write({ table: 'bids', put: issued, when: 'attribute_not_exists(#id)' });
    return issued;
  }

  return {
    issue: (bid: NewBid): Promise<Issued> => put(bid, config.bidTtlMs),

    /** Issues a legacy ad, which includes its creative. It may be clicked even if its impression is never reported. */
    issueLegacy: (bid: NewBid, creative: ShownCreative, shown: LegacyContext): Promise<Issued> =>
      put({ ...bid, ...toStoredCreative(creative), shown }, UNREPORTED_VALID_MS, getUnservedTtlMs(bid)),

    /** Issues an exchange's bid, which includes its creative. It may be clicked even if it is never billed. */
    issueForExchange: (bid: NewBid, creative: ShownCreative, exchange: ExchangeTerms): Promise<Issued> =>
      put(
        { ...bid, ...toStoredCreative(creative), exchange },
        getExchangeValidMs(exchange, config.bidTtlMs),
        getUnservedTtlMs(bid),
      ),

    /** Finds a bid. Ignores expired records that DynamoDB has not deleted yet. */
    async find(id: string): Promise<(Bid & ClickCounters) | undefined> {
      const bid = isUuid(id) ? await db.get('bids', { id }) : undefined;
      return bid && clock.now() < bid.ttl * 1000 ? bid : undefined;
    },

    /** Records what the client of a reader reports about a served ad. False if there is no such ad. */
    async recordReport(report: ReaderReport, id: string): Promise<boolean> {
      const { ok } = await db.write({
        table: 'bids',
        key: { id },
        // Concurrent and repeated reports: only the first changes the record, and only this change is counted.
        update: `SET #${report} = :true`,
        when: '#state = :served AND #servedAt > :oldest', // a click keeps the record for longer
        values: { true: true, served: 'served', oldest: clock.now() - SHOWN_TTL_MS },
      });
      return ok;
    },

    /**
     * Records a click attempt in one write, and returns the bid. The first valid attempt is the click (reason null). Every attempt increments
     * the counter of its kind, so that the record does not grow; `genuineVisits` counts valid attempts including repeats. With a key id,
     * only legacy ads of that key are found. Trusted Match offers are only found with `mayCharge`. A valid attempt extends the life of the
     * record, but not of the link: attempts are accepted for `SHOWN_TTL_MS` after the impression, or after the issue without one.
     */
    async attemptClick(
      id: string,
      click: Click,
      invalidity: Exclude<Invalidity, 'repeat'> | null,
      { keyId, mayCharge = false }: { keyId?: string; mayCharge?: boolean } = {},
    ): Promise<RecordedClick> {
      if (!isUuid(id)) return { outcome: 'unknown' };
      const counter = `${invalidity ?? 'genuine'}Visits`;
      const written = await db.write(
        {
          table: 'bids',
          key: { id },
          // Concurrent attempts: the first write sets the click, later ones keep it.
          update: `${invalidity ? '' : 'SET #click = if_not_exists(#click, :click), #ttl = if_not_exists(#conversation.#until, :ttl) '}ADD #${counter} :one`,
          when: `${keyId ? 'attribute_exists(#shown) AND #keyId = :keyId' : '(#state = :served OR attribute_exists(#shown) OR attribute_exists(#exchange))'}${mayCharge ? '' : ' AND attribute_not_exists(#exchange.#byClick)'} AND #ttl > :seconds AND (#servedAt > :oldest OR (attribute_not_exists(#servedAt) AND #issuedAt > :oldest))`,
          values: {
            one: 1,
            seconds: Math.floor(click.at / 1000),
            oldest: click.at - SHOWN_TTL_MS,
            ...(invalidity ? {} : { click, ttl: ttlAt(click.at + CLICKED_TTL_MS) }),
            ...(keyId ? { keyId } : { served: 'served' }),
          },
          once: true, // an SDK retry after a lost response must not count as a repeat
        },
        'new',
      );
      if (!written.ok) return { outcome: 'unknown' };
      const { item: bid } = written;
      return { outcome: 'recorded', bid, reason: invalidity ?? ((bid.genuineVisits ?? 0) > 1 ? 'repeat' : null) };
    },
  };
}
