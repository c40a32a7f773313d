import { findApiKey } from '../../shared/api-keys/find.ts';
import { keyReportColumns, keyReportRow, reportKey } from '../../shared/api-keys/report.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { notFound } from '../../shared/http/errors.ts';
import { type Answer, csv, ok } from '../../shared/http/response.ts';
import { period, reportPeriod, toCsv, wantsCsv } from '../../shared/ledgers/report.ts';

/** What came of a key by UTC day (api 2.1): an array, or CSV for who accepts that. */
export default endpoint('api-keys/report', (effects) => {
  return {
    query: reportPeriod,

    async act({ owner, params, query, header }): Promise<Answer> {
      const key = await findApiKey(effects, owner, params.id);
      if (!key) throw notFound('management', 'API key not found');
      const { from, to } = period(query, effects.clock.now());
      const days = await reportKey(effects, key, from, to);
      return wantsCsv(header('accept')) ? csv(toCsv(keyReportColumns, days.map(keyReportRow))) : ok(days);
    },
  };
});
