import type * as z from 'zod';
import { redact } from '../../platform/values/redact.ts';

/** Of each end of a text so many characters are looked through for what is private: it takes a microsecond each. */
const MAX_READ_CHARACTERS = 4_000;
/** An e-mail address is the longest that is replaced. */
const MAX_ADDRESS_CHARACTERS = 320;

/** Nothing within can end the tags that it stands in. */
export const toDataTag = (value: unknown): string =>
  `<data>\n${JSON.stringify(value).replaceAll('<', String.raw`\u003c`)}\n</data>`;

/** The beginning and the end of a text, where what is wanted is mostly said, without what is private in it. */
export function shorten(text: string, most: number): string {
  const isLong = text.length > 2 * MAX_READ_CHARACTERS;
  const start = redact(isLong ? text.slice(0, MAX_READ_CHARACTERS) : text);
  if (!isLong && start.length <= most) return start;
  const end = isLong ? redact(text.slice(-MAX_READ_CHARACTERS)) : start;
  const head = Math.ceil((most * 2) / 3);
  // What was cut before it was looked through may be half an address: where that would be seen, nothing is shown.
  if (isLong && Math.min(start.length, end.length) < head + MAX_ADDRESS_CHARACTERS) return '[redacted]';
  return `${start.slice(0, head)} … ${end.slice(head - most)}`.toWellFormed();
}

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
