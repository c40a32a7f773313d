import * as z from 'zod';
import { countValue, usdResponse } from '../values/response-schema.ts';

/** One UTC day of a campaign. */
export const reportDayResponse = z
  .object({
    date: z.iso.date(),
    impressions: countValue,
    clicks: countValue,
    conversions: countValue,
    spend: usdResponse,
  })
  .meta({ id: 'ReportDay' });
