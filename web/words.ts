import { AdsError } from '../packages/client/src/index.ts';

/** What went wrong, for people. */
export function inWords(error: unknown): string {
  if (!(error instanceof AdsError) || error.status === 0) return 'The service cannot be reached. Is it running?';
  const { status, message, details, requestId } = error;
  if (status === 401) return `${message}. Look into “Who am I?” at the top.`;
  if (status === 429) return 'Too many requests in a short time. Wait a moment and try again.';
  if (status >= 500) return `${message}. If it stays so, quote request ${requestId}.`;
  const fields = details.filter(({ path, message: fault }) => path !== '' && fault !== message);
  return [message, ...fields.map(({ path, message: fault }) => `${path}: ${fault}`)].join(' — ');
}

export const counted = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? '' : 's'}`;
export const formatUsd = (amount: number, decimals = 2): string => `$${amount.toFixed(decimals)}`;
