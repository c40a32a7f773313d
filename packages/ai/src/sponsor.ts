import { readEnvironment } from '../../client/src/environment.ts';
import { createClient, type Log } from '../../client/src/index.ts';
import { VERSION } from '../../client/src/version.ts';
import { toConversation } from './conversation.ts';
import type { SponsoredPart } from './part.ts';
import { answerCard } from './route.ts';
import { addPart } from './stream.ts';
import { createTokens } from './token.ts';

export interface SponsorOptions {
  /** URL of the ad service. Default: the environment variable ADS_URL. */
  baseUrl?: string | undefined;
  /** Publisher API key. Keep it on the server. Default: the environment variable ADS_KEY. */
  apiKey?: string | undefined;
  /** Maximum time for a bid. Default: 400. An answer never waits: without a bid by its end, it gets no ad. */
  deadlineMs?: number;
  /** Lifetime of a bid, if the operator changed BID_TTL_SECONDS. The card does not request older ads. Default: 300. */
  bidTtlSeconds?: number;
  /** Receives every error, for your log. Errors never affect the chat. */
  onError?: (error: unknown) => void;
  /** Called after each attempt of a request to the service, for your log. Its errors are ignored. */
  log?: Log;
  fetch?: typeof fetch;
}

/** What your server knows about a turn. */
export interface TurnAbout {
  /** Country of the user, ISO 3166-1 alpha-2. */
  countryCode: string;
  /**
   * Required for your key's limits on ads per conversation. `id` is your own, 1 to 128 characters; `turn` counts the
   * user's messages so far, and is needed only if the prompt leaves out older ones.
   */
  conversation?: { id: string; turn?: number };
  /** The request's signal: cancels the bid if the user leaves. */
  signal?: AbortSignal;
}

/** One turn of a conversation: a question and its answer. */
export interface Turn {
  /** For `wrapLanguageModel`: starts the bid in parallel with the model and does not change the call. */
  middleware: {
    specificationVersion: 'v3';
    transformParams<Params extends { prompt: unknown }>(call: { params: Params }): Promise<Params>;
  };
  /** Adds the ad's part after the answer to a UI message stream, if there is an ad. */
  stream<Chunk extends { type: string }>(stream: ReadableStream<Chunk>): ReadableStream<Chunk | SponsoredPart>;
  /** Waits for the bid (at most its deadline) and returns the part. For answers that are not streamed. */
  part(): Promise<SponsoredPart | undefined>;
}

export interface Sponsor {
  turn(about: TurnAbout): Turn;
  /** Handles the card's request for its ad (POST). */
  route(request: Request): Promise<Response>;
}

const DEADLINE_MS = 400;
const AD_TIMEOUT_MS = 3_000;
/** The service's default for BID_TTL_SECONDS. */
const BID_TTL_SECONDS = 300;

/** Adds ads to a chat built with the AI SDK, versions 6 and 7. @throws TypeError if `baseUrl` or `apiKey` is missing */
export function createSponsor({
  baseUrl,
  apiKey = readEnvironment('ADS_KEY'),
  deadlineMs = DEADLINE_MS,
  bidTtlSeconds = BID_TTL_SECONDS,
  ...options
}: SponsorOptions = {}): Sponsor {
  if (!apiKey)
    throw new TypeError('apiKey is missing. Set it, or the environment variable ADS_KEY, to your publisher API key');
  const ads = createClient({
    baseUrl,
    apiKey,
    userAgent: `conversation-ads-ai/${VERSION}`,
    ...(options.fetch && { fetch: options.fetch }),
    ...(options.log && { log: options.log }),
  });
  const tokens = createTokens(apiKey);
  const onError = (error: unknown) => {
    try {
      options.onError?.(error);
    } catch {
      // A log that fails must not fail the chat.
    }
  };

  async function requestPart(prompt: unknown, { countryCode, conversation, signal }: TurnAbout) {
    const messages = toConversation(prompt);
    if (!messages) return undefined;
    // Measured before the call, so the part expires no later than the bid.
    const expiresAt = new Date(Date.now() + 1_000 * bidTtlSeconds).toISOString();
    const bid = await ads(
      'POST /api/v1/ssp/bid',
      { body: { countryCode, messages, ...(conversation && { conversation }) } },
      { timeoutMs: deadlineMs, ...(signal && { signal }) },
    );
    if (!bid) return undefined;
    const data = { disclosure: 'Sponsored' as const, token: await tokens.issue(bid.bidId), expiresAt };
    return { type: 'data-sponsored' as const, id: `sponsored-${bid.bidId}`, data };
  }

  return {
    turn(about) {
      let bid: Promise<void> | undefined;
      let part: SponsoredPart | undefined;
      const ask = async (prompt: unknown) => {
        try {
          part = await requestPart(prompt, about);
        } catch (error) {
          if (!about.signal?.aborted) onError(error);
        }
      };
      return {
        middleware: {
          specificationVersion: 'v3',
          async transformParams({ params }) {
            // An answer with tool calls runs its model several times but gets one ad.
            bid ??= ask(params.prompt);
            return params;
          },
        },
        stream: (stream) => addPart(stream, () => part),
        async part() {
          await bid;
          return part;
        },
      };
    },

    route: (request) =>
      answerCard(
        request,
        tokens,
        (bidId) => ads('GET /api/v1/ssp/ad/{bidId}', { params: { bidId } }, { timeoutMs: AD_TIMEOUT_MS }),
        onError,
      ),
  };
}
