import * as z from 'zod';

/** The words that descriptions of answers are made of. Nothing here is loaded by the functions that answer. */

export const moment = z.iso.datetime();
export const countValue = z.int().min(0);
export const usdResponse = z.number().min(0);

/** What a deletion answers. */
export const messageResponse = z.object({ message: z.string().describe('That it is done') }).meta({ id: 'Message' });
