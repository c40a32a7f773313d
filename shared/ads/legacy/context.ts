import { redact } from '../../platform/values/redact.ts';
import type { LegacyContext } from '../bids/bid.ts';
import type { AdRequest } from './legacy-schema.ts';

/** What is kept of a conversation for its events, in characters (api 5.6). */
const MOST = 2_000;

/** What is kept of a reader who has opted out. */
const NOBODY = { conversation: '', userQuery: '', userId: '', sessionId: '', userAgent: '', ip: '' };

/**
 * What a legacy request leaves behind for its ads' events: redacted and cut (api 5.6); after an opt-out the place alone. @param ip cut already
 */
export function legacyContextOf(
  { context, placement }: Pick<AdRequest, 'context' | 'placement'>,
  ip: string,
  optOut: boolean,
): LegacyContext {
  const { metadata } = context;
  const place = { placement: { type: placement?.type ?? '', position: placement?.position ?? '' } };
  if (optOut) return { ...NOBODY, ...place };
  return {
    conversation: redact(context.conversation, MOST),
    userQuery: redact(context.userQuery ?? '', MOST),
    ...place,
    userId: metadata?.userId ?? '',
    sessionId: metadata?.sessionId ?? '',
    userAgent: metadata?.userAgent ?? '',
    ip,
  };
}
