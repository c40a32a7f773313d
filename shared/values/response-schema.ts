import * as z from 'zod';

/** The words that descriptions of answers are made of. Nothing here is loaded by the functions that answer. */

export const moment = z.iso.datetime();
export const count = z.int().min(0);
export const usdAmount = z.number().min(0);

/** What a deletion answers. */
export const messageAnswer = z.object({ message: z.string() }).meta({ id: 'Message' });
