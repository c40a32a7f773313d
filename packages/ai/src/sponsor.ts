import { createClient } from '../../client/src/index.ts';
import { toConversation } from './conversation.ts';
import type { SponsoredPart } from './part.ts';
import { answerCard } from './route.ts';
import { withPart } from './stream.ts';
import { createTokens } from './token.ts';

export interface SponsorOptions {
  /** Where the ad service answers. */
  baseUrl: string;
  /** The publisher's key: a secret of the server. */
  apiKey: string;
  /** How long a bid may take; 400 by default. An answer that ends sooner has no ad: it is not held up. */
  deadlineMs?: number;
  /** How long a bid lives, if the service's operator has set BID_TTL_SECONDS: an ad that is older is not asked for. 300 by default. */
  bidTtlSeconds?: number;
  /** Told of what goes wrong, for your log; the chat never fails of it. */
  onError?: (error: unknown) => void;
  fetch?: typeof fetch;
}

/** What your server knows of a turn. */
export interface TurnAbout {
  /** Of the user, ISO 3166-1 alpha-2. */
  countryCode: string;
  /**
   * Lets the service space ads in one conversation, as your key's settings say. `id` is your own, 1 to 128 characters; `turn` counts the
   * user's messages so far, and is needed only if the prompt leaves out older ones.
   */
  conversation?: { id: string; turn?: number };
  /** Of the request: without a reader there is no bid. */
  signal?: AbortSignal;
}

/** One turn of a conversation: a question and its answer. */
export interface Turn {
  /** For `wrapLanguageModel`: starts the bid beside the model and changes nothing. */
  middleware: {
    specificationVersion: 'v3';
    transformParams<Params extends { prompt: unknown }>(call: { params: Params }): Promise<Params>;
  };
  /** The UI message stream with the ad's part after the answer, where there is an ad. */
  stream<Chunk extends { type: string }>(stream: ReadableStream<Chunk>): ReadableStream<Chunk | SponsoredPart>;
  /** The part, once the bid is decided, at its deadline at the latest: for answers that are not streamed. */
  part(): Promise<SponsoredPart | undefined>;
}

export interface Sponsor {
  turn(about: TurnAbout): Turn;
  /** The route that the card asks for its ad (POST). */
  route(request: Request): Promise<Response>;
}

const DEADLINE_MS = 400;
const AD_TIMEOUT_MS = 3_000;
/** How long a bid lives unless the service's operator has set BID_TTL_SECONDS. */
const BID_TTL_SECONDS = 300;

/** Ads for a chat that is built with the AI SDK, majors 6 and 7. @throws TypeError if `baseUrl` or `apiKey` is missing */
export function createSponsor({
  baseUrl,
  apiKey,
  deadlineMs = DEADLINE_MS,
  bidTtlSeconds = BID_TTL_SECONDS,
  ...options
}: SponsorOptions): Sponsor {
  if (!apiKey) throw new TypeError("apiKey is missing: your publisher's key, such as process.env.ADS_KEY");
  const ads = createClient({ baseUrl, apiKey, ...(options.fetch && { fetch: options.fetch }) });
  const tokens = createTokens(apiKey);
  const onError = (error: unknown) => {
    try {
      options.onError?.(error);
    } catch {
      // A log that fails must not fail the chat.
    }
  };

  async function partOf(prompt: unknown, { countryCode, conversation, signal }: TurnAbout) {
    const messages = toConversation(prompt);
    if (!messages) return undefined;
    // From before the call: the service's own time begins later and ends later.
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
          part = await partOf(prompt, about);
        } catch (error) {
          if (!about.signal?.aborted) onError(error);
        }
      };
      return {
        middleware: {
          specificationVersion: 'v3',
          async transformParams({ params }) {
            // An answer with tools calls its model several times; it is one answer, and has one ad.
            bid ??= ask(params.prompt);
            return params;
          },
        },
        stream: (stream) => withPart(stream, () => part),
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
