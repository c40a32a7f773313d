import type { LegacyContext } from '../bids/bid.ts';
import { redact } from '../values/redact.ts';
import type { AdRequest } from './schema.ts';

/** What is kept of a conversation for its events, in characters (api 5.6). */
const MOST = 2_000;

/** What is left of a request whose reader has opted out: the place alone. */
export const withoutReader = ({ placement }: LegacyContext): LegacyContext => ({
  conversation: '',
  userQuery: '',
  placement,
  userId: '',
  sessionId: '',
  userAgent: '',
  ip: '',
});

/** What a legacy request leaves behind for its ads' events: redacted and cut (api 5.6). @param ip cut already */
export const legacyContextOf = (
  { context, placement }: Pick<AdRequest, 'context' | 'placement'>,
  ip: string,
): LegacyContext => ({
  conversation: redact(context.conversation, MOST),
  userQuery: redact(context.userQuery ?? '', MOST),
  placement: { type: placement?.type ?? '', position: placement?.position ?? '' },
  userId: context.metadata?.userId ?? '',
  sessionId: context.metadata?.sessionId ?? '',
  userAgent: context.metadata?.userAgent ?? '',
  ip,
});
