import type { NotGenuine } from './store.ts';

/** Why a visit cannot be a person's click (decisions, section 5); null when it may be one. */
export function disqualify(
  method: string,
  header: (name: string) => string | undefined,
  isCrawler: (userAgent: string) => boolean,
): Exclude<NotGenuine, 'repeat'> | null {
  if (method === 'HEAD') return 'head';
  if (/prefetch/i.test(`${header('sec-purpose')} ${header('purpose')}`)) return 'prefetch';
  return isCrawler(header('user-agent') ?? '') ? 'bot' : null;
}
