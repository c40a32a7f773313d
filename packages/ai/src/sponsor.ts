import { type BidderOptions, createBidder, NO_FILL } from './bid.ts';
import { createReport, type Handlers, type Outcome, type SponsorEvent, type TurnAbout, tell } from './events.ts';
import type { SponsoredPart } from './part.ts';
import { answerCard } from './route.ts';
import { addPart } from './stream.ts';
import { createTokens } from './token.ts';

export interface SponsorOptions extends BidderOptions, Handlers<SponsorEvent> {
  /** Lifetime of a bid, if the operator changed BID_TTL_SECONDS. The card does not request older ads. Default: 300. */
  bidTtlSeconds?: number;
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
  /**
   * Waits for the bid (at most its deadline) and returns the part. For answers that are not streamed.
   * @param messages without the AI SDK: the conversation, for which the call starts the bid
   */
  part(messages?: { role: string; content: unknown }[]): Promise<SponsoredPart | undefined>;
}

export interface Sponsor {
  turn(about: TurnAbout): Turn;
  /** Handles the card's request for its ad (POST). */
  route(request: Request): Promise<Response>;
}

const AD_TIMEOUT_MS = 3_000;
/** The service's default for BID_TTL_SECONDS. */
const BID_TTL_SECONDS = 300;

/** Adds ads to a chat built with the AI SDK, versions 6 and 7. @throws TypeError if `baseUrl` or `apiKey` is missing */
export function createSponsor({ bidTtlSeconds = BID_TTL_SECONDS, ...options }: SponsorOptions = {}): Sponsor {
  const bidder = createBidder(options);
  const tokens = createTokens(bidder.apiKey);

  async function toPart(bidId: string, askedAt: number): Promise<SponsoredPart> {
    const expiresAt = new Date(askedAt + 1_000 * bidTtlSeconds).toISOString();
    const data = { disclosure: 'Sponsored' as const, token: await tokens.issue(bidId), expiresAt };
    return { type: 'data-sponsored', id: `sponsored-${bidId}`, data };
  }

  return {
    turn(about) {
      const reportOnce = createReport(options, about);
      let timer: ReturnType<typeof setTimeout> | undefined;
      const report = (outcome: Outcome) => {
        clearTimeout(timer);
        reportOnce(outcome);
      };
      about.signal?.addEventListener('abort', () => report(NO_FILL.aborted), { once: true });
      let bid: Promise<void> | undefined;
      let filled: { outcome: Outcome; part: SponsoredPart } | undefined;
      const ask = async (prompt: unknown) => {
        // Measured before the call, so the part expires no later than the bid.
        const askedAt = Date.now();
        try {
          const outcome = await bidder.ask(prompt, about);
          if (outcome.type !== 'filled') return report(outcome);
          filled = { outcome, part: await toPart(outcome.bidId, askedAt) };
          // An answer that is not streamed may fail. Nobody says so.
          timer = setTimeout(() => report(NO_FILL.no_answer), 1_000 * bidTtlSeconds);
          Object(timer).unref?.();
        } catch (error) {
          report({ type: 'error', error });
        }
      };
      const take = () => {
        if (filled) report(filled.outcome);
        else if (!bid) report(NO_FILL.not_asked);
        return filled?.part;
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
        stream: (stream) =>
          addPart(stream, (ending) => {
            const part = ending === 'answered' ? take() : undefined;
            if (!part) report(about.signal?.aborted ? NO_FILL.aborted : NO_FILL[NO_PART[ending]]);
            return part;
          }),
        async part(messages) {
          if (messages) bid ??= ask(messages);
          await bid;
          return take();
        },
      };
    },

    route: (request) =>
      answerCard(request, tokens, {
        fetchAd: (bidId) => bidder.getAd(bidId, AD_TIMEOUT_MS),
        onEvent: options.onEvent && ((event) => tell(options.onEvent, event)),
        onError: (error) => tell(options.onError, error),
      }),
  };
}

/** Why an answer that ended like this has no part. */
const NO_PART = { answered: 'late', failed: 'no_answer', aborted: 'aborted' } as const;
