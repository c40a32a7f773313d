import { auction, type Candidate } from '../../shared/bidding/auction.ts';
import { createTurns } from '../../shared/bidding/turns.ts';
import { bidStore } from '../../shared/bids/store.ts';
import { campaignPicture } from '../../shared/campaigns/picture.ts';
import { ok } from '../../shared/http/answer.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { toUsd } from '../../shared/money.ts';

/** Submit bid (contract, section 4.1): a conversation in, a CPM bid or null out. */
export default endpoint('ssp/bid', (effects) => {
  const picture = campaignPicture(effects);
  const bids = bidStore(effects);
  const turn = createTurns();

  return {
    meanwhile: () => picture.refresh(),

    async act({ body: { messages, countryCode }, key }) {
      const startedAt = effects.clock.now();
      const matches = picture.match(messages);
      const matchedAt = effects.clock.now();
      const opportunity = { countryCode, floor: key.bidFloor, now: matchedAt, random: effects.ids.random };
      const candidates = auction(matches, opportunity, turn);
      const winner = candidates[0]?.outcome === 'won' ? candidates[0] : undefined;
      const debug = {
        campaignId: winner?.campaign.id ?? null,
        candidates: candidates.slice(0, 20).map(presentCandidate),
        timingsMs: { match: matchedAt - startedAt },
      };
      if (!winner) return ok(null, debug);
      const bid = await bids.issue({
        keyId: key.id,
        keyOwner: key.owner,
        mode: key.mode,
        campaignId: winner.campaign.id,
        campaignOwner: winner.campaign.owner,
        price: winner.bid,
        relevance: winner.relevance,
        countryCode,
        terms: winner.matched.map(({ term }) => term),
      });
      return ok({ bid: toUsd(bid.price), bidId: bid.id }, debug);
    },
  };
});

const presentCandidate = ({ campaign, relevance, matched, bid, outcome }: Candidate) => ({
  campaignId: campaign.id,
  name: campaign.name,
  relevance,
  matched,
  price: { strategy: campaign.bidStrategy, maxCpb: toUsd(campaign.maxCpb), bid: toUsd(bid) },
  outcome,
});
