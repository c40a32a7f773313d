import type * as z from 'zod';
import { redact } from '../../platform/values/redact.ts';

/** Number of characters kept at each end of a long text and scanned for personal data. The scan takes about a microsecond per character. */
const MAX_READ_CHARACTERS = 4_000;
/** The longest text that redaction replaces: an email address. */
const MAX_ADDRESS_CHARACTERS = 320;

/** Wraps a value as JSON in data tags. Escapes `<`, so that the value cannot close the tag. */
export const toDataTag = (value: unknown): string =>
  `<data>\n${JSON.stringify(value).replaceAll('<', String.raw`\u003c`)}\n</data>`;

/** Redacts a text and shortens it to its beginning and end, where people mostly say what they want. */
export function shorten(text: string, maxLength: number): string {
  const isLong = text.length > 2 * MAX_READ_CHARACTERS;
  const start = redact(isLong ? text.slice(0, MAX_READ_CHARACTERS) : text);
  if (!isLong && start.length <= maxLength) return start;
  const end = isLong ? redact(text.slice(-MAX_READ_CHARACTERS)) : start;
  const head = Math.ceil((maxLength * 2) / 3);
  // The cut at MAX_READ_CHARACTERS may leave half an email address, which redaction misses. Return nothing if the result could show it.
  if (isLong && Math.min(start.length, end.length) < head + MAX_ADDRESS_CHARACTERS) return '[redacted]';
  return `${start.slice(0, head)} … ${end.slice(head - maxLength)}`.toWellFormed();
}

/** Some models wrap their JSON in a code block even if asked not to. */
const FENCED = /^```(?:json)?\s*([\s\S]*?)\s*```$/;

/** Parses a model's answer; undefined unless it is only JSON that matches the schema. */
export function parseAnswer<T>(text: string, schema: z.ZodType<T>): T | undefined {
  const trimmed = text.trim();
  try {
    return schema.safeParse(JSON.parse(FENCED.exec(trimmed)?.[1] ?? trimmed)).data;
  } catch {
    return undefined;
  }
}
