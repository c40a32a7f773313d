import { createCreatives } from '../../shared/ads/bids/creatives.ts';
import { isCounted } from '../../shared/ads/conversions/store.ts';
import { ledgerStore } from '../../shared/budgets/ledger.ts';
import { recordAutomaticChanges } from '../../shared/campaigns/campaign-activity.ts';
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
  getEventFor,
} from '../../shared/webhooks/events/announce.ts';
import { type BidFact, toBidFacts, toCampaignFacts } from '../../shared/webhooks/events/facts.ts';
import type { Webhook } from '../../shared/webhooks/webhook.ts';
import { listWebhooks } from '../../shared/webhooks/webhook-store.ts';

/** What one stream record leads to: events to announce, or a delivery to repeat. */
interface RecordEvents {
  /** The record's index in its batch. */
  at: number;
  announcements: Announcement[];
  redelivery?: Delivery;
}

/**
 * Turns stored facts into events and queues one message per event and receiver. The streams are the outbox: a stored fact is
 * retried here until it succeeds, and a fact that was not stored never sends an event. A batch reads the webhooks of each owner
 * once and sends its messages in parallel. Also records what spending and time changed in a campaign, for the activity of its owner.
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

  /** Queues the messages of one record. @param getWebhooks the webhooks of an owner; throws if they could not be read */
  async function sendEvents(
    { announcements, redelivery }: RecordEvents,
    getWebhooks: (owner: string) => readonly Webhook[],
  ): Promise<void> {
    const messages = announcements.flatMap((announcement) =>
      announcement.owners
        .flatMap(getWebhooks)
        .filter(({ status, events }) => status !== 'disabled' && events.includes(announcement.event.type))
        .map(({ owner, id }) => ({ owner, webhookId: id, event: getEventFor(announcement, owner) })),
    );
    await Promise.all([...messages, redelivery ?? []].flat().map(send));
  }

  return {
    // One handler per table whose stream triggers this function (`wokenBy`). A missing one does not compile.
    changes: {
      async bids({ old, now }, { at }) {
        const announcements: Announcement[] = [];
        for (const fact of toBidFacts(old, now)) announcements.push(await announceBid(fact));
        return { at, announcements };
      },

      /** The table also contains names, spend stats, and tombstones. */
      async campaigns({ old, now }, { at }) {
        if (!now || !isCampaign(now)) return undefined;
        const before = old && isCampaign(old) ? fromCampaignItem(old) : undefined;
        const after = fromCampaignItem(now);
        if (before) await recordAutomaticChanges(effects, before, after);
        const facts = toCampaignFacts(before, after);
        const [performance] = facts.length > 0 ? await ledgers.performance([now.id]) : [];
        return performance && { at, announcements: facts.map((fact) => announceCampaign(fact, performance)) };
      },

      async conversions({ old, now }, { at }) {
        if (!now || old || !isCounted(now)) return undefined;
        return { at, announcements: [announceConversion(now)] };
      },

      async statements({ old, now }, { at }) {
        return now && !old ? { at, announcements: [announceStatement(now)] } : undefined;
      },

      /** The owner requested a redelivery. */
      async deliveries({ old, now }, { at }) {
        if (!now || now.redeliveries <= (old?.redeliveries ?? 0)) return undefined;
        return { at, announcements: [], redelivery: now };
      },
    } satisfies ChangesOf<'events/fan-out', RecordEvents>,

    async finish(records: RecordEvents[]) {
      const owners = [
        ...new Set(records.flatMap(({ announcements }) => announcements.flatMap(({ owners }) => owners))),
      ];
      const lists = await Promise.allSettled(owners.map((owner) => listWebhooks(effects, owner)));
      const byOwner = new Map(owners.map((owner, n) => [owner, lists[n]!]));
      const sent = await Promise.allSettled(
        records.map((one) => sendEvents(one, (owner) => unwrap(byOwner.get(owner)!))),
      );
      return sent.flatMap((one, n) => (one.status === 'rejected' ? { at: records[n]!.at, cause: one.reason } : []));
    },
  };
});

function unwrap<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}
