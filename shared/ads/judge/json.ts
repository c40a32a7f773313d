import type * as z from 'zod';

/** Some models put JSON between the marks of a code block, however they are asked not to. */
const FENCED = /^```(?:json)?\s*([\s\S]*?)\s*```$/;

/** What a language model answered, where it is JSON of this shape and nothing else; undefined otherwise. */
export function parseAnswer<T>(text: string, schema: z.ZodType<T>): T | undefined {
  const trimmed = text.trim();
  try {
    return schema.safeParse(JSON.parse(FENCED.exec(trimmed)?.[1] ?? trimmed)).data;
  } catch {
    return undefined;
  }
}
