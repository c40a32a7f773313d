import { readEnvironment } from '../../client/src/environment.ts';
import { type Ad, AdsError, createClient, type Log } from '../../client/src/index.ts';
import { VERSION } from '../../client/src/version.ts';
import { toConversation } from './conversation.ts';
import type { Outcome, TurnAbout } from './events.ts';

export interface BidderOptions {
  /** URL of the ad service. Default: the environment variable ADS_URL. */
  baseUrl?: string | undefined;
  /** Publisher API key. Keep it on the server. Default: the environment variable ADS_KEY. */
  apiKey?: string | undefined;
  /** Maximum time for a bid. Default: 400. */
  deadlineMs?: number;
  /** Called after each attempt of a request to the service, for your log. Its errors are ignored. */
  log?: Log | undefined;
  fetch?: typeof fetch;
}

const DEADLINE_MS = 400;

/** Why a turn got no ad, if the service is not the one to say so. The codes that the service has too mean the same. */
export const NO_FILL = {
  no_user_message: noFill('no_user_message', 'No message from the user contains a word.'),
  not_asked: noFill('not_asked', "No bid was requested: the answer's model does not use the turn's middleware."),
  late: noFill('late', 'The answer ended before the bid arrived.'),
  expired: noFill('expired', 'The bid had expired, or its campaign had ended, when the ad was requested.'),
  aborted: noFill('aborted', 'The user left before the answer was complete.'),
  no_answer: noFill('no_answer', 'The answer failed, was filtered, was empty or JSON, or ended with a tool call.'),
  unknown: noFill('unknown', 'The service did not say why.'),
};

function noFill(code: string, meaning: string): Outcome {
  return { type: 'no_fill', code, meaning };
}

/** Requests bids and ads with one key. @throws TypeError if `baseUrl` or `apiKey` is missing */
export function createBidder({
  baseUrl,
  apiKey = readEnvironment('ADS_KEY'),
  deadlineMs = DEADLINE_MS,
  log,
  fetch,
}: BidderOptions) {
  if (!apiKey)
    throw new TypeError('apiKey is missing. Set it, or the environment variable ADS_KEY, to your publisher API key');
  const ads = createClient({ baseUrl, apiKey, userAgent: `conversation-ads-ai/${VERSION}`, log, fetch });

  return {
    apiKey,
    deadlineMs,

    /** Requests a bid for a conversation. Never rejects. @param prompt whatever `toConversation` converts */
    async ask(prompt: unknown, { signal, ...context }: TurnAbout): Promise<Outcome> {
      const messages = toConversation(prompt);
      if (!messages) return NO_FILL.no_user_message;
      let reason: string | null = null;
      try {
        const bid = await ads(
          'POST /api/v1/ssp/bid',
          { body: { ...context, messages } },
          {
            timeoutMs: deadlineMs,
            ...(signal && { signal }),
            onResponse: ({ headers }) => {
              reason = headers.get('x-no-bid-reason');
            },
          },
        );
        return bid ? { type: 'filled', bidId: bid.bidId, bid: bid.bid } : toNoFill(reason);
      } catch (error) {
        return signal?.aborted ? NO_FILL.aborted : { type: 'error', error };
      }
    },

    /** Requests the ad of a bid, which counts as the impression. @throws AdsError, or the reason of the signal */
    getAd: (bidId: string, timeoutMs: number, signal?: AbortSignal): Promise<Ad> =>
      ads('GET /api/v1/ssp/ad/{bidId}', { params: { bidId } }, { timeoutMs, ...(signal && { signal }) }),
  };
}

/** Whether the bid of an ad has expired, or its campaign has ended. */
export const isExpired = (error: unknown): boolean => error instanceof AdsError && error.status === 404;

/** Reads the header x-no-bid-reason (`code: meaning`), which earlier services do not send. */
function toNoFill(reason: string | null): Outcome {
  const [, code, meaning] = /^(\w+): (.+)$/.exec(reason ?? '') ?? [];
  return code && meaning ? noFill(code, meaning) : NO_FILL.unknown;
}
