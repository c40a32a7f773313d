import type { Clicked } from '../../shared/bids/bid.ts';
import { createCreatives } from '../../shared/bids/creatives.ts';
import { isCampaign } from '../../shared/campaigns/items.ts';
import {
  type Announcement,
  announceCampaign,
  announceClick,
  announceConversion,
  announceImpression,
  announceStatement,
} from '../../shared/events/events.ts';
import { bidFacts, campaignFacts } from '../../shared/events/facts.ts';
import { ledgerStore } from '../../shared/ledgers/store.ts';
import type { Delivery, DeliveryMessage } from '../../shared/webhooks/deliveries.ts';
import { listWebhooks } from '../../shared/webhooks/find.ts';
import { type StreamHandlers, streamWorker } from '../../shared/workers/worker.ts';

/**
 * Turns stored facts into events and puts one message on the queue for each event and receiver. The streams are the outbox: what
 * was stored comes by here until it is through, and what was not stored never does.
 */
export default streamWorker('events/fan-out', (effects) => {
  const ledgers = ledgerStore(effects);
  const withCreative = createCreatives(effects);

  const send = ({ owner, webhookId, event }: Pick<Delivery, 'owner' | 'webhookId' | 'event'>) => {
    const message: DeliveryMessage = { owner, webhookId, event, sentAt: effects.clock.now() };
    return effects.queue.send('deliveries', message, { group: owner });
  };

  async function clickedAd(bid: Clicked) {
    const shown = await withCreative(bid);
    if (!shown) throw new Error(`the creative of ${bid.id} is gone`);
    return shown;
  }

  async function announce({ event, owners }: Announcement): Promise<void> {
    const lists = await Promise.all(owners.map((owner) => listWebhooks(effects, owner)));
    const listeners = lists.flat().filter(({ status, events }) => status !== 'disabled' && events.includes(event.type));
    await Promise.all(listeners.map(({ owner, id }) => send({ owner, webhookId: id, event })));
  }

  return {
    // One for every table with a stream: another one does not compile until it is here.
    changes: {
      async bids({ old, now }) {
        for (const fact of bidFacts(old, now)) {
          if (fact.kind === 'impression') await announce(announceImpression(fact.bid));
          else await announce(announceClick(await clickedAd(fact.bid)));
        }
      },

      /** The table holds names, stats and tombstones too. */
      async campaigns({ old, now }) {
        if (!now || !isCampaign(now)) return;
        const facts = campaignFacts(old && isCampaign(old) ? old : undefined, now);
        const [performance] = facts.length > 0 ? await ledgers.performance([now.id]) : [];
        if (performance) for (const fact of facts) await announce(announceCampaign(fact, performance));
      },

      async conversions({ old, now }) {
        if (now && !old && now.mode === 'live') await announce(announceConversion(now));
      },

      async statements({ old, now }) {
        if (now && !old) await announce(announceStatement(now));
      },

      /** An owner asked for it again. */
      async deliveries({ old, now }) {
        if (now && now.redeliveries > (old?.redeliveries ?? 0)) await send(now);
      },
    } satisfies StreamHandlers,
  };
});
