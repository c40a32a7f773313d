import type { ShownCreative } from '../../campaigns/creative-versions.ts';
import { DAY_MS, ttlAt } from '../../platform/clock.ts';
import type { Write } from '../../platform/database.ts';
import type { Effects } from '../../platform/effects.ts';
import { isUuid } from '../../platform/ids.ts';
import {
  type Bid,
  type Click,
  type ClickCounters,
  type ExchangeTerms,
  type Issued,
  type LegacyContext,
  type Served,
  toOptedOutId,
} from './bid.ts';
import type { Invalidity } from './click-validity.ts';

/** How long the record of an ad that may be shown is kept: clicks come late. */
const SHOWN_TTL_MS = 90 * DAY_MS;
/** How long a publisher of the legacy API, or of Trusted Match, may take to tell of an ad's impression. */
const UNREPORTED_VALID_MS = DAY_MS;
/** How long the record of an ad that left with its answer is kept while nobody has told of an impression: a conversation is no longer known than a day. */
const getUnservedTtlMs = ({ conversation }: NewBid): number => (conversation ? DAY_MS : SHOWN_TTL_MS);

export type NewBid = Omit<Issued, 'id' | 'state' | 'issuedAt' | 'validUntil' | 'ttl'>;

/** What a record says of a creative: the version that it is stored as, or else all of it. */
const toStoredCreative = ({ creativeVersion, creative }: Pick<Issued, 'creativeVersion' | 'creative'>) =>
  creativeVersion ? { creativeVersion } : { creative };

/** An ad that somebody came to; its click is there once one was valid. */
type RecordedClick = { outcome: 'unknown' } | { outcome: 'recorded'; bid: Bid; reason: Invalidity | null };

/** From issued to served, with everything that the ad and its click will need, on condition that it is still open. */
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
    ' REMOVE #conversation', // its ad is counted in this transaction, so nothing asks for its conversation any more
  when: '#state = :issued AND #validUntil > :servedAt', // settles the race of retrievals: one of them charges
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

/** Marks a fact of a bid as counted, on condition that it was not: whoever processes it again counts nothing. */
export const markCounted = (bidId: string, fact: 'impression' | 'click' | 'charge'): Write<'bids'> => ({
  table: 'bids',
  key: { id: bidId },
  update: `SET #${fact}Counted = :true`,
  when: `attribute_exists(#id) AND attribute_not_exists(#${fact}Counted)`,
  values: { true: true },
});

/** Counts a notice that charges nothing. */
export const countNotice = (id: string, notice: string): Write<'bids'> => ({
  table: 'bids',
  key: { id },
  update: `ADD #${notice}Notices :one`,
  when: 'attribute_exists(#id)', // of a record that the store has dropped meanwhile nothing is begun anew
  values: { one: 1 },
  once: true,
});

/** An offer of Trusted Match may be told of for longer: it has no field that says when it ends. */
const getExchangeValidMs = ({ byClick }: ExchangeTerms, bidTtlMs: number): number =>
  byClick ? UNREPORTED_VALID_MS : bidTtlMs;

export function createBidStore({ db, clock, ids, config }: Pick<Effects, 'db' | 'clock' | 'ids' | 'config'>) {
  async function put(bid: NewBid, validMs: number, keptMs = validMs): Promise<Issued> {
    const now = clock.now();
    const issued: Issued = {
      ...bid,
      id: bid.optOut ? toOptedOutId(ids.uuid()) : ids.uuid(),
      state: 'issued',
      issuedAt: now,
      validUntil: now + validMs,
      ttl: ttlAt(now + keptMs),
    };
    // Settles the race with an attempt that nobody waits for any more and that the store carries out late: the ad may be served by then.
    await db.write({ table: 'bids', put: issued, when: 'attribute_not_exists(#id)' });
    return issued;
  }

  return {
    issue: (bid: NewBid): Promise<Issued> => put(bid, config.bidTtlMs),

    /** A legacy ad: it leaves with its creative, and may be clicked whether or not its impression is ever told of. */
    issueLegacy: (bid: NewBid, creative: ShownCreative, shown: LegacyContext): Promise<Issued> =>
      put({ ...bid, ...toStoredCreative(creative), shown }, UNREPORTED_VALID_MS, getUnservedTtlMs(bid)),

    /** An exchange's bid: the ad leaves with the answer, and may be clicked whether or not it is ever billed. */
    issueForExchange: (bid: NewBid, creative: ShownCreative, exchange: ExchangeTerms): Promise<Issued> =>
      put(
        { ...bid, ...toStoredCreative(creative), exchange },
        getExchangeValidMs(exchange, config.bidTtlMs),
        getUnservedTtlMs(bid),
      ),

    /** A record, until the second from which the store may forget it. */
    async find(id: string): Promise<(Bid & ClickCounters) | undefined> {
      const bid = isUuid(id) ? await db.get('bids', { id }) : undefined;
      return bid && clock.now() < bid.ttl * 1000 ? bid : undefined;
    },

    /**
     * Records a click attempt in one write and answers with the record. The first valid one is the click (reason null); every attempt raises a
     * counter of its kind, so that the record does not grow: valid ones, repeats included, the one that is stored as `genuineVisits`. With a
     * key id, only that key's legacy ads are known; offers of Trusted Match are only where their clicks may charge.
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
          // The first write settles the race of attempts: later ones keep its click.
          update: `${invalidity ? '' : 'SET #click = if_not_exists(#click, :click) '}ADD #${counter} :one`,
          when: `${keyId ? 'attribute_exists(#shown) AND #keyId = :keyId' : '(#state = :served OR attribute_exists(#shown) OR attribute_exists(#exchange))'}${mayCharge ? '' : ' AND attribute_not_exists(#exchange.#byClick)'} AND #ttl > :seconds`,
          values: {
            one: 1,
            seconds: Math.floor(click.at / 1000),
            ...(invalidity ? {} : { click }),
            ...(keyId ? { keyId } : { served: 'served' }),
          },
          once: true, // a click whose first answer was lost is no repeat
        },
        'new',
      );
      if (!written.ok) return { outcome: 'unknown' };
      const { item: bid } = written;
      return { outcome: 'recorded', bid, reason: invalidity ?? ((bid.genuineVisits ?? 0) > 1 ? 'repeat' : null) };
    },
  };
}
