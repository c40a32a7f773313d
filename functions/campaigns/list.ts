import { campaignsOf } from '../../shared/campaigns/find.ts';
import { presentListed } from '../../shared/campaigns/present.ts';
import { listCampaigns } from '../../shared/campaigns/schema.ts';
import { withinAnswer } from '../../shared/http/answer-size.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { ledgerStore } from '../../shared/ledgers/store.ts';

/** List campaigns (api 3.4), in the order of their creation; `x-total-count` says how many match. */
export default endpoint('campaigns/list', (effects) => {
  const ledgers = ledgerStore(effects);

  return {
    query: listCampaigns,

    async act({ owner, query: { status, limit, offset, serving } }) {
      const matching = (await campaignsOf(effects, owner)).filter((campaign) => !status || campaign.status === status);
      const now = effects.clock.now();
      const asked = matching.slice(offset, offset + limit);
      const performance = await ledgers.performance(asked.map(({ id }) => id));
      const page = asked.map((campaign, index) =>
        presentListed(campaign, performance[index]!, now, serving === 'true'),
      );
      return {
        status: 200,
        headers: { 'x-total-count': String(matching.length) },
        body: [...withinAnswer(page)],
      };
    },
  };
});
