import * as z from 'zod';
import { count, usdAmount } from '../values/response-schema.ts';

/** One UTC day of a campaign. */
export const reportDayAnswer = z
  .object({ date: z.iso.date(), impressions: count, clicks: count, conversions: count, spend: usdAmount })
  .meta({ id: 'ReportDay' });
