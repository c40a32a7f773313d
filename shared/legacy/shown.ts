import type { Shown } from '../bids/bid.ts';
import { redact } from './redact.ts';
import type { AdRequest } from './schema.ts';

/** What a legacy request leaves behind for its ads' events: redacted and cut (api 5.6). @param ip cut already */
export const shownOf = ({ context, placement }: Pick<AdRequest, 'context' | 'placement'>, ip: string): Shown => ({
  conversation: redact(context.conversation),
  userQuery: redact(context.userQuery ?? ''),
  placement: { type: placement?.type ?? '', position: placement?.position ?? '' },
  userId: context.metadata?.userId ?? '',
  sessionId: context.metadata?.sessionId ?? '',
  userAgent: context.metadata?.userAgent ?? '',
  ip,
});
