import { type BidderOptions, createBidder, isExpired, NO_FILL } from './bid.ts';
import { toConversation } from './conversation.ts';
import { createReport, type Handlers, type Outcome, type TurnAbout } from './events.ts';
import type { SponsoredAd } from './part.ts';
import { toSponsoredAd } from './route.ts';
import { isAnswered } from './stream.ts';
import { MARK, type PromptMessage, toSuffix, withoutAds } from './suffix.ts';
import { toMarkdown, toText } from './text.ts';

export interface AdsOptions extends BidderOptions, Handlers {
  /** Country of the user, ISO 3166-1 alpha-2, or a function that returns it for each turn. `providerOptions.ads` overrides it. */
  countryCode?: string | (() => string | undefined);
  /**
   * How an answer carries its ad. `markdown` (default) and `text` append it, and so does a function that returns what to append: it gets the
   * texts as the advertiser wrote them, and must show the disclosure and the URL. `part` appends nothing: `readAd` returns the ad.
   */
  format?: 'markdown' | 'text' | 'part' | ((ad: SponsoredAd) => string);
}

/** What matters here of a call of the model. */
interface Call {
  prompt: readonly PromptMessage[];
  responseFormat?: { type: string };
  /** `ads` is for this package: a `CallAds`. */
  providerOptions?: Record<string, unknown>;
  abortSignal?: AbortSignal;
}

/** What a call may say in `providerOptions.ads`. `skip`: no ad for this turn, for example because the user pays. */
type CallAds = Partial<TurnAbout> & { skip?: boolean };

/** What matters here of a part of an answer, streamed or not. */
interface Part {
  type: string;
  id?: unknown;
  text?: unknown;
  delta?: unknown;
  providerExecuted?: unknown;
  finishReason?: unknown;
  providerMetadata?: unknown;
}

/** A language model of the AI SDK, as a provider creates it. */
interface LanguageModel {
  readonly specificationVersion: string;
  doGenerate(call: Call): PromiseLike<{ content: Part[]; finishReason: unknown; providerMetadata?: unknown }>;
  doStream(call: Call): PromiseLike<{ stream: ReadableStream<Part> }>;
}

/** A question and its ad. The answer may take several calls of the model, which share one bid: tool calls, and retries. */
interface AdTurn {
  key: string;
  bid: Promise<Outcome>;
  report(outcome: Outcome): void;
}

/** How one call of the model ended. After `continued`, another call may follow. */
type Ending = 'answered' | 'continued' | 'empty';

/** A turn that nobody continues for so long is over. Its bid has expired by then, unless the operator changed BID_TTL_SECONDS. */
const TURN_TTL_MS = 300_000;
const MAX_WAITING_TURNS = 1_000;

/**
 * Wraps a language model so that every answer of `generateText` and `streamText` ends with a labeled ad, if one fits. The bid runs next to
 * the model. When the answer is complete, the ad is requested (this is the impression) and appended. That never holds back the answer's
 * text, and delays its end by at most `deadlineMs` for the ad, and by what is left of the bid's own `deadlineMs`. If anything fails, the
 * answer has no ad. Answers in JSON, and those that fail or call a tool, get none.
 * @throws TypeError if `baseUrl` or `apiKey` is missing, or if the model is the ID of one
 */
export function withAds<Model extends LanguageModel>(model: Model, options: AdsOptions = {}): Model {
  if (typeof Object(model).doGenerate !== 'function')
    throw new TypeError('model must be a language model, such as openai("gpt-5"), and not the ID of one');
  const beginCall = createTurns(options);
  const isPart = options.format === 'part';

  async function generate(call: Call) {
    const { sent, start, end } = beginCall(call);
    const answer = await start(() => model.doGenerate(sent));
    const { content, finishReason } = answer;
    const text = content.map((part) => (part.type === 'text' ? String(part.text) : '')).join('');
    const shown = await end(getEnding(finishReason, text, content.some(isContinued)), text);
    if (!shown) return answer;
    if (isPart) return addMetadata(answer, shown.ad);
    return { ...answer, content: [...content, { type: 'text', text: shown.suffix, providerMetadata: MARK }] };
  }

  async function stream(call: Call) {
    const { sent, start, end } = beginCall(call);
    const { stream: parts, ...rest } = await start(() => model.doStream(sent));
    const reader = parts.getReader();
    let text = '';
    let isOpen = false;
    const withAd = new ReadableStream<Part>({
      async pull(controller) {
        const { done, value: part } = await reader.read().catch(async (error) => {
          await end('empty', text);
          throw error;
        });
        if (done) {
          await end('empty', text);
          return controller.close();
        }
        if (part.type === 'text-delta') text += part.delta;
        if (part.type === 'error') await end('empty', text);
        isOpen ||= isContinued(part);
        if (part.type !== 'finish') return controller.enqueue(part);
        const shown = await end(getEnding(part.finishReason, text, isOpen), text);
        if (shown && !isPart) {
          const id = `sponsored-${shown.bidId}`;
          controller.enqueue({ type: 'text-start', id, providerMetadata: MARK });
          controller.enqueue({ type: 'text-delta', id, delta: shown.suffix });
          controller.enqueue({ type: 'text-end', id });
        }
        controller.enqueue(shown && isPart ? addMetadata(part, shown.ad) : part);
      },
      async cancel(reason) {
        await end('aborted', text);
        return reader.cancel(reason);
      },
    });
    return { ...rest, stream: withAd };
  }

  return new Proxy(model, {
    get(target, name) {
      if (name === 'doGenerate') return generate;
      if (name === 'doStream') return stream;
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Returns the ad of an answer with the format `part`. @param metadata the `providerMetadata` of a result */
export const readAd = (metadata: Record<string, unknown> | undefined): SponsoredAd | undefined =>
  Object(metadata?.ads).ad;

const addMetadata = <Carrier extends { providerMetadata?: unknown }>(carrier: Carrier, ad: SponsoredAd): Carrier => ({
  ...carrier,
  providerMetadata: { ...Object(carrier.providerMetadata), ads: { ad } },
});

/** Calls of a tool that runs here, and requests for a user's approval: the model is called again with the result. */
const isContinued = ({ type, providerExecuted }: Part): boolean =>
  (type === 'tool-call' && providerExecuted !== true) || type === 'tool-approval-request';

function getEnding(finishReason: unknown, text: string, isOpen: boolean): Ending {
  // A text until version 5 of the AI SDK, an object since then.
  const reason = Object(finishReason).unified ?? finishReason;
  if (isOpen || reason === 'tool-calls') return 'continued';
  return isAnswered(reason) && text.trim() !== '' ? 'answered' : 'empty';
}

function createTurns({ countryCode: country, format = 'markdown', ...options }: AdsOptions) {
  const bidder = createBidder(options);
  /** Turns that may go on, the oldest first. */
  const waiting: { turn: AdTurn; since: number }[] = [];

  const render = typeof format === 'function' ? format : format === 'text' ? toText : toMarkdown;

  /** Begins one call of the model, and its turn, if this is the first call of the turn. */
  return ({ prompt: given, providerOptions, ...call }: Call) => {
    const { ads, ...others } = providerOptions ?? {};
    const prompt = withoutAds(given);
    const sent = { ...call, prompt, ...(providerOptions && { providerOptions: others }) };
    const signal = call.abortSignal;
    const about: CallAds = Object(ads);
    // What is generated for a program is no answer of a chat.
    const isTurn = call.responseFormat?.type !== 'json' && about.skip !== true;
    const turn = isTurn ? claimTurn(prompt, about, signal).catch(failTurn) : undefined;
    const leave = () => turn?.then(({ report }) => report(NO_FILL.aborted));
    signal?.addEventListener('abort', leave, { once: true });
    let isOver = false;

    /** Ends the call, once. Returns the ad if the answer is to show it. */
    async function end(ending: Ending | 'aborted', text: string) {
      if (isOver) return undefined;
      isOver = true;
      signal?.removeEventListener('abort', leave);
      if (!turn) return undefined;
      const ended = await turn;
      if (ending === 'answered' && !signal?.aborted) return show(ended, text, signal);
      if (ending === 'aborted' || signal?.aborted) ended.report(NO_FILL.aborted);
      else if (ending === 'continued') keep(ended);
      else ended.report(NO_FILL.no_answer);
      return undefined;
    }

    /** Calls the model. */
    async function start<Answer>(callModel: () => PromiseLike<Answer>): Promise<Answer> {
      try {
        return await callModel();
      } catch (error) {
        // The AI SDK repeats such a call with the same prompt.
        await end(Object(error).isRetryable === true ? 'continued' : 'empty', '');
        throw error;
      }
    }

    return { sent, start, end };
  };

  async function claimTurn(prompt: PromptMessage[], about: CallAds, signal: AbortSignal | undefined) {
    // Further calls of the turn append tool calls and their results.
    const question = prompt.slice(0, prompt.findLastIndex(({ role }) => role === 'user') + 1);
    const { conversation, variant } = about;
    const context = { ...(conversation && { conversation }), ...(variant !== undefined && { variant }) };
    const countryCode = readCountry(about);
    const key = await digest(JSON.stringify([context, toConversation(question)]));
    forgetOldTurns();
    const at = waiting.findIndex(({ turn }) => turn.key === key);
    const [found] = at < 0 ? [] : waiting.splice(at, 1);
    if (found) return found.turn;
    const report = createReport(options, context);
    const bid =
      typeof countryCode === 'string'
        ? bidder.ask(question, { countryCode, ...context, ...(signal && { signal }) })
        : Promise.resolve(countryCode);
    bid.then((outcome) => outcome.type !== 'filled' && report(outcome));
    return { key, bid, report };
  }

  function failTurn(error: unknown): AdTurn {
    const outcome: Outcome = { type: 'error', error };
    const report = createReport(options, {});
    report(outcome);
    return { key: '', bid: Promise.resolve(outcome), report };
  }

  /** The user's country, or the error that there is none. */
  function readCountry({ countryCode }: CallAds): string | Outcome {
    try {
      const found = countryCode ?? (typeof country === 'function' ? country() : country);
      if (found) return found;
      throw new TypeError('countryCode is missing. Set it in withAds, or in providerOptions.ads of the call');
    } catch (error) {
      return { type: 'error', error };
    }
  }

  function keep(turn: AdTurn): void {
    waiting.push({ turn, since: Date.now() });
    forgetOldTurns();
  }

  /** A chat may end with a tool call, or fail in spite of retries. Nobody says so, hence this is noticed at the next call. */
  function forgetOldTurns(): void {
    const oldest = Date.now() - TURN_TTL_MS;
    while (waiting[0] && (waiting[0].since < oldest || waiting.length > MAX_WAITING_TURNS))
      waiting.shift()?.turn.report(NO_FILL.no_answer);
  }

  /** Requests the ad of a turn. Undefined without one, or if it fails. */
  async function show({ bid, report }: AdTurn, text: string, signal: AbortSignal | undefined) {
    const outcome = await bid;
    if (outcome.type !== 'filled') return undefined;
    try {
      const ad = toSponsoredAd(await bidder.getAd(outcome.bidId, bidder.deadlineMs, signal));
      const suffix = format === 'part' ? '' : toSuffix(text, render(ad));
      report(outcome);
      return { bidId: outcome.bidId, ad, suffix };
    } catch (error) {
      report(signal?.aborted ? NO_FILL.aborted : isExpired(error) ? NO_FILL.expired : { type: 'error', error });
      return undefined;
    }
  }
}

/** Short, because a turn is kept by it. */
async function digest(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return String(new Uint8Array(hash));
}
