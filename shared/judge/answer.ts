import * as z from 'zod';
import type { Opinion } from '../platform/judge.ts';

const chance = z.number().min(0).max(1);

/** Some models put JSON between the marks of a code block, however they are asked not to. */
const FENCED = /^```(?:json)?\s*([\s\S]*?)\s*```$/;

/** What a language model answered about so many ads; undefined when that is anything but what it was asked for. */
export function opinionFrom(text: string, ads: number): Opinion | undefined {
  const trimmed = text.trim();
  const schema = z.strictObject({ safe: z.boolean(), welcome: z.array(chance).length(ads) });
  try {
    return schema.safeParse(JSON.parse(FENCED.exec(trimmed)?.[1] ?? trimmed)).data;
  } catch {
    return undefined;
  }
}
