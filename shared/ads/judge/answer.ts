import * as z from 'zod';
import type { Opinion } from '../../platform/judge.ts';
import { parseAnswer } from './json.ts';

const chance = z.number().min(0).max(1);

/** What a language model answered about so many ads; undefined when that is anything but what it was asked for. */
export const parseOpinion = (text: string, ads: number): Opinion | undefined =>
  parseAnswer(text, z.strictObject({ safe: z.boolean(), welcome: z.array(chance).length(ads) }));
