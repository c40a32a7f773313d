import { findCampaign } from '../../shared/campaigns/find.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { notFound } from '../../shared/http/errors.ts';
import { type Answer, csv, ok } from '../../shared/http/response.ts';
import { period, presentDays, REPORT_COLUMNS, reportPeriod, toCsv, wantsCsv } from '../../shared/ledgers/report.ts';
import { ledgerStore } from '../../shared/ledgers/store.ts';

/** A campaign's impressions, clicks, conversions and spend by UTC day: an array, or CSV for who accepts that. */
export default endpoint('campaigns/report', (effects) => {
  const ledgers = ledgerStore(effects);

  return {
    query: reportPeriod,

    async act({ owner, params, query, header }): Promise<Answer> {
      const campaign = await findCampaign(effects, owner, params.id);
      if (!campaign) throw notFound('management', 'Campaign not found');
      const { from, to } = period(query, effects.clock.now());
      const days = presentDays(await ledgers.days(campaign.id, from, to), from, to);
      return wantsCsv(header('accept')) ? csv(toCsv(REPORT_COLUMNS, days)) : ok(days);
    },
  };
});
