import { createCreatives } from '../../shared/ads/bids/creatives.ts';
import { ledgerStore } from '../../shared/budgets/ledger.ts';
import { fromCampaignItem, isCampaign } from '../../shared/campaigns/items.ts';
import { type ChangesOf, streamWorker } from '../../shared/http/workers/stream-worker.ts';
import type { Delivery, DeliveryMessage } from '../../shared/webhooks/deliveries.ts';
import {
  type Announcement,
  announceCampaign,
  announceClick,
  announceConversion,
  announceImpression,
  announceStatement,
} from '../../shared/webhooks/events/announce.ts';
import { type BidFact, toBidFacts, toCampaignFacts } from '../../shared/webhooks/events/facts.ts';
import type { Webhook } from '../../shared/webhooks/webhook.ts';
import { listWebhooks } from '../../shared/webhooks/webhook-store.ts';

/** What a record comes to: events to tell, or one that its owner wants again. */
interface RecordEvents {
  /** The record's place in its batch. */
  at: number;
  announcements: Announcement[];
  again?: Delivery;
}

/**
 * Turns stored facts into events and puts one message on the queue for each event and receiver. The streams are the outbox: what
 * was stored comes by here until it is through, and what was not stored never does. A batch reads the webhooks of each owner once,
 * and sends its messages together.
 */
export default streamWorker('events/fan-out', (effects) => {
  const ledgers = ledgerStore(effects);
  const withCreative = createCreatives(effects);

  const send = ({ owner, webhookId, event }: Pick<Delivery, 'owner' | 'webhookId' | 'event'>) => {
    const message: DeliveryMessage = { owner, webhookId, event, sentAt: effects.clock.now() };
    return effects.queue.send('deliveries', message, { group: owner });
  };

  async function announceBid(fact: BidFact): Promise<Announcement> {
    if (fact.kind === 'impression') return announceImpression(fact.bid);
    const shown = await withCreative(fact.bid);
    if (!shown) throw new Error(`the creative of ${fact.bid.id} is gone`);
    return announceClick(shown);
  }

  /** Sends what a record comes to, all of it in the same moment. @param listOf the webhooks of an owner, or why they are not known */
  async function tell(
    { announcements, again }: RecordEvents,
    listOf: (owner: string) => readonly Webhook[],
  ): Promise<void> {
    const messages = announcements.flatMap(({ event, owners }) =>
      owners
        .flatMap(listOf)
        .filter(({ status, events }) => status !== 'disabled' && events.includes(event.type))
        .map(({ owner, id }) => ({ owner, webhookId: id, event })),
    );
    await Promise.all([...messages, again ?? []].flat().map(send));
  }

  return {
    // One for every table whose stream wakes this function, as `wokenBy` says: another one does not compile until it is here.
    changes: {
      async bids({ old, now }, { at }) {
        const announcements: Announcement[] = [];
        for (const fact of toBidFacts(old, now)) announcements.push(await announceBid(fact));
        return { at, announcements };
      },

      /** The table holds names, stats and tombstones too. */
      async campaigns({ old, now }, { at }) {
        if (!now || !isCampaign(now)) return undefined;
        const facts = toCampaignFacts(
          old && isCampaign(old) ? fromCampaignItem(old) : undefined,
          fromCampaignItem(now),
        );
        const [performance] = facts.length > 0 ? await ledgers.performance([now.id]) : [];
        return performance && { at, announcements: facts.map((fact) => announceCampaign(fact, performance)) };
      },

      async conversions({ old, now }, { at }) {
        if (!now || old || now.mode !== 'live') return undefined;
        return { at, announcements: [announceConversion(now)] };
      },

      async statements({ old, now }, { at }) {
        return now && !old ? { at, announcements: [announceStatement(now)] } : undefined;
      },

      /** An owner asked for it again. */
      async deliveries({ old, now }, { at }) {
        if (!now || now.redeliveries <= (old?.redeliveries ?? 0)) return undefined;
        return { at, announcements: [], again: now };
      },
    } satisfies ChangesOf<'events/fan-out', RecordEvents>,

    async finish(told: RecordEvents[]) {
      const owners = [...new Set(told.flatMap(({ announcements }) => announcements.flatMap(({ owners }) => owners)))];
      const lists = await Promise.allSettled(owners.map((owner) => listWebhooks(effects, owner)));
      const byOwner = new Map(owners.map((owner, n) => [owner, lists[n]!]));
      const sent = await Promise.allSettled(told.map((one) => tell(one, (owner) => unwrap(byOwner.get(owner)!))));
      return sent.flatMap((one, n) => (one.status === 'rejected' ? { at: told[n]!.at, cause: one.reason } : []));
    },
  };
});

function unwrap<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}
