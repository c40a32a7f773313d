import * as z from 'zod';
import { monthSchema } from '../budgets/monthly-statement.ts';
import { readTerms } from '../budgets/monthly-terms.ts';
import type { Effects } from '../platform/effects.ts';

/** The query of a report by term. */
export const termsReportQuery = z.object({
  campaignId: z.string('campaignId must be the ID of a campaign').describe('ID of the campaign'),
  month: monthSchema.describe('A UTC month that is over'),
});

/** A term of a campaign in a month. */
export const termsReportRow = z
  .object({
    term: z.string().describe('The keyword as you spelled it, the phrase of the lexicon, or `other`'),
    kind: z
      .enum(['keyword', 'phrase', 'other'])
      .describe(
        '`keyword`: one of your keywords. `phrase`: a phrase that the lexicon links to the topics of the campaign. `other`: the last row, all terms that too few conversations shared',
      ),
    impressions: z
      .int()
      .min(0)
      .describe('Impressions in conversations with this term. One impression can have several terms'),
    clicks: z.int().min(0).describe('Clicks on these ads'),
  })
  .meta({ id: 'TermReportRow' });

type Row = z.output<typeof termsReportRow>;

/** The columns of a CSV report. */
export const TERMS_REPORT_COLUMNS: readonly (keyof Row)[] = ['term', 'kind', 'impressions', 'clicks'];

/** The terms of a campaign in a month, most impressions first, and those that must not be named as one row at the end. */
export async function reportTerms(effects: Pick<Effects, 'db'>, campaignId: string, month: string): Promise<Row[]> {
  const { named, others } = await readTerms(effects, campaignId, month);
  const rows = named.map(({ term, ...counts }): Row => {
    const kind = term.startsWith('k:') ? 'keyword' : 'phrase';
    return { term: term.slice('k:'.length), kind, ...counts };
  });
  return others.impressions + others.clicks > 0 ? [...rows, { term: 'other', kind: 'other', ...others }] : rows;
}
