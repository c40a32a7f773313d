import type { Bid } from '../../shared/bids/bid.ts';
import type { Campaign } from '../../shared/campaigns/campaign.ts';
import type { Conversion } from '../../shared/conversions/store.ts';
import {
  type Announcement,
  announceBid,
  announceCampaign,
  announceConversion,
  announceStatement,
} from '../../shared/events/events.ts';
import { bidFacts, campaignFacts } from '../../shared/events/facts.ts';
import { ledgerStore } from '../../shared/ledgers/store.ts';
import type { StatementPage } from '../../shared/statements/store.ts';
import type { Delivery, DeliveryMessage } from '../../shared/webhooks/deliveries.ts';
import { webhookStore } from '../../shared/webhooks/store.ts';
import { type StreamChange, streamWorker } from '../../shared/workers/worker.ts';

/**
 * Turns stored facts into events and puts one message on the queue for each event and receiver. The streams are the outbox: what
 * was stored comes by here until it is through, and what was not stored never does.
 */
export default streamWorker('events/fan-out', (effects) => {
  const webhooks = webhookStore(effects);
  const ledgers = ledgerStore(effects);

  const send = ({ owner, webhookId, event }: Pick<Delivery, 'owner' | 'webhookId' | 'event'>) => {
    const message: DeliveryMessage = { owner, webhookId, event, sentAt: effects.clock.now() };
    return effects.queue.send('deliveries', message, { group: owner });
  };

  async function announce({ event, users }: Announcement): Promise<void> {
    const lists = await Promise.all(users.map((user) => webhooks.list(user)));
    const listeners = lists.flat().filter(({ status, events }) => status !== 'disabled' && events.includes(event.type));
    await Promise.all(listeners.map(({ owner, id }) => send({ owner, webhookId: id, event })));
  }

  async function announceChange(old: Campaign | undefined, now: Campaign): Promise<void> {
    const facts = campaignFacts(old, now);
    if (facts.length === 0) return;
    const [figures] = await ledgers.figures([now.id]);
    for (const fact of facts) await announce(announceCampaign(fact, figures!));
  }

  return {
    async act({ table, old, now }: StreamChange) {
      if (table === 'bids') {
        for (const fact of bidFacts(old as Bid | undefined, now as Bid | undefined)) await announce(announceBid(fact));
      }
      if (table === 'campaigns' && now && isCampaign(now))
        await announceChange(old as Campaign | undefined, now as Campaign);
      if (table === 'conversions' && now && !old && now.mode === 'live')
        await announce(announceConversion(now as Conversion));
      if (table === 'statements' && now && !old) await announce(announceStatement(now as StatementPage));
      if (table === 'deliveries' && now && now.redeliveries > (old?.redeliveries ?? 0)) {
        await send(now as Delivery);
      }
    },
  };
});

/** The table holds names, stats and tombstones too. */
const isCampaign = ({ item, deleted }: NonNullable<StreamChange['now']>): boolean =>
  item.startsWith('campaign#') && !deleted;
