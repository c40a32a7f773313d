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
  toolCallId?: unknown;
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

/** A turn that may go on, with its first call again or with a later one. */
interface WaitingTurn {
  turn: AdTurn;
  isFirst: boolean;
  since: number;
  stopListening(): void;
}

/** How one call of the model ended. After `tool`, a call with the tool's result may follow, and after `retry`, the same call. */
type Ending = 'answered' | 'tool' | 'retry' | 'none';

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
    const read = createReading();
    answer.content.forEach(read.add);
    const shown = await end(read.getEnding(answer.finishReason), read.getText());
    if (!shown) return answer;
    if (isPart) return addMetadata(answer, shown.ad);
    return { ...answer, content: [...answer.content, { type: 'text', text: shown.suffix, providerMetadata: MARK }] };
  }

  async function stream(call: Call) {
    const { sent, start, end, leave } = beginCall(call);
    const { stream: parts, ...rest } = await start(() => model.doStream(sent));
    const reader = parts.getReader();
    const read = createReading();
    const withAd = new ReadableStream<Part>({
      async pull(controller) {
        const { done, value: part } = await reader.read().catch(async (error) => {
          await end('none');
          throw error;
        });
        if (done) {
          await end('none');
          return controller.close();
        }
        read.add(part);
        if (part.type === 'error') await end('none');
        if (part.type !== 'finish') return controller.enqueue(part);
        const shown = await end(read.getEnding(part.finishReason), read.getText());
        if (shown && !isPart) {
          const id = `sponsored-${shown.bidId}`;
          controller.enqueue({ type: 'text-start', id, providerMetadata: MARK });
          controller.enqueue({ type: 'text-delta', id, delta: shown.suffix });
          controller.enqueue({ type: 'text-end', id });
        }
        controller.enqueue(shown && isPart ? addMetadata(part, shown.ad) : part);
      },
      async cancel(reason) {
        await leave();
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

/** Reads an answer, part by part, streamed or not. */
function createReading() {
  let text = '';
  /** A tool that runs here was called, or a user's approval requested: the model is called again with the result. */
  let isToolCalled = false;
  /** Calls of the provider's own tools after the last text. Without their results, the model is called again to get them. */
  const unanswered = new Set<unknown>();
  return {
    add({ type, text: whole, delta, toolCallId, providerExecuted }: Part): void {
      if (type === 'text' || type === 'text-delta') {
        text += type === 'text' ? whole : delta;
        unanswered.clear();
      }
      if (type === 'tool-call' && providerExecuted === true) unanswered.add(toolCallId);
      else if (type === 'tool-call' || type === 'tool-approval-request') isToolCalled = true;
      if (type === 'tool-result') unanswered.delete(toolCallId);
    },
    getText: () => text,
    getEnding(finishReason: unknown): Ending {
      // A text until version 5 of the AI SDK, an object since then.
      const reason = Object(finishReason).unified ?? finishReason;
      if (isToolCalled || unanswered.size > 0 || reason === 'tool-calls') return 'tool';
      return isAnswered(reason) && text.trim() !== '' && !isJson(text) ? 'answered' : 'none';
    },
  };
}

/** Whether a program may read the answer, although the call did not say so. */
function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function createTurns({ countryCode: country, format = 'markdown', ...options }: AdsOptions) {
  const bidder = createBidder(options);
  /** Turns that may go on, the oldest first. */
  const waiting: WaitingTurn[] = [];

  const render = typeof format === 'function' ? format : format === 'text' ? toText : toMarkdown;

  /** Begins one call of the model, and its turn, if this is the first call of the turn. */
  return ({ prompt: given, providerOptions, ...call }: Call) => {
    const { ads, ...others } = providerOptions ?? {};
    const prompt = withoutAds(given);
    const sent = { ...call, prompt, ...(providerOptions && { providerOptions: others }) };
    const signal = call.abortSignal;
    const about: CallAds = Object(ads);
    // Further calls of a turn append tool calls and their results.
    const question = prompt.slice(0, prompt.findLastIndex(({ role }) => role === 'user') + 1);
    const isFirst = question.length === prompt.length;
    // What is generated for a program is no answer of a chat.
    const isTurn = call.responseFormat?.type !== 'json' && about.skip !== true;
    const left = new AbortController();
    const turn = isTurn ? claimTurn(question, isFirst, about, left.signal).catch(failTurn) : undefined;
    let isOver = false;

    /** The user has left, so nobody will read the ad. */
    async function leave(): Promise<void> {
      left.abort();
      const ended = await turn;
      // If this call is over, its turn may be another one's.
      if (ended && (!isOver || takeWaiting((one) => one.turn === ended))) ended.report(NO_FILL.aborted);
    }
    if (signal?.aborted) left.abort();
    signal?.addEventListener('abort', leave, { once: true });
    const stopListening = () => signal?.removeEventListener('abort', leave);

    /** Ends the call, once. Returns the ad if the answer is to show it. */
    async function end(ending: Ending, text = '') {
      if (isOver) return undefined;
      isOver = true;
      const ended = await turn;
      const hasLeft = left.signal.aborted;
      if (ended && !hasLeft && (ending === 'tool' || ending === 'retry')) {
        keep({ turn: ended, isFirst: isFirst && ending === 'retry', since: Date.now(), stopListening });
        return undefined;
      }
      const shown = ended && !hasLeft && ending === 'answered' ? await show(ended, text, left.signal) : undefined;
      stopListening();
      // Ignored if the turn has been reported, for example by `show`.
      ended?.report(hasLeft ? NO_FILL.aborted : NO_FILL.no_answer);
      return shown;
    }

    /** Calls the model. */
    async function start<Answer>(callModel: () => PromiseLike<Answer>): Promise<Answer> {
      try {
        return await callModel();
      } catch (error) {
        // The AI SDK repeats such a call with the same prompt.
        await end(Object(error).isRetryable === true ? 'retry' : 'none');
        throw error;
      }
    }

    return { sent, start, end, leave };
  };

  async function claimTurn(question: PromptMessage[], isFirst: boolean, about: CallAds, signal: AbortSignal) {
    const { conversation, variant } = about;
    const context = { ...(conversation && { conversation }), ...(variant !== undefined && { variant }) };
    const countryCode = readCountry(about);
    const key = await digest(JSON.stringify([countryCode, context, toConversation(question)]));
    const found = takeWaiting(({ turn, ...one }) => turn.key === key && one.isFirst === isFirst);
    if (found) return found;
    const report = createReport(options, context);
    const bid =
      typeof countryCode === 'string'
        ? bidder.ask(question, { countryCode, ...context, signal })
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
      if (found && typeof found === 'string') return found;
      throw new TypeError('countryCode is missing. Set it in withAds, or in providerOptions.ads of the call');
    } catch (error) {
      return { type: 'error', error };
    }
  }

  function keep(one: WaitingTurn): void {
    waiting.push(one);
    forgetOldTurns();
    // A chat may end with a tool call, or fail in spite of retries. Nobody says so.
    const timer = setTimeout(forgetOldTurns, TURN_TTL_MS);
    Object(timer).unref?.();
  }

  function takeWaiting(isWanted: (one: WaitingTurn) => boolean): AdTurn | undefined {
    forgetOldTurns();
    const at = waiting.findIndex(isWanted);
    const [taken] = at < 0 ? [] : waiting.splice(at, 1);
    taken?.stopListening();
    return taken?.turn;
  }

  function forgetOldTurns(): void {
    const oldest = Date.now() - TURN_TTL_MS;
    while (waiting[0] && (waiting[0].since <= oldest || waiting.length > MAX_WAITING_TURNS)) {
      const { turn, stopListening } = waiting.shift()!;
      stopListening();
      turn.report(NO_FILL.no_answer);
    }
  }

  /** Requests the ad of a turn. Undefined without one, or if it fails. */
  async function show({ bid, report }: AdTurn, text: string, signal: AbortSignal) {
    const outcome = await bid;
    if (outcome.type !== 'filled') return undefined;
    try {
      const ad = toSponsoredAd(await bidder.getAd(outcome.bidId, bidder.deadlineMs, signal));
      signal.throwIfAborted();
      const suffix = format === 'part' ? '' : toSuffix(text, checkText(render(ad)));
      report(outcome);
      return { bidId: outcome.bidId, ad, suffix };
    } catch (error) {
      report(signal.aborted ? NO_FILL.aborted : isExpired(error) ? NO_FILL.expired : { type: 'error', error });
      return undefined;
    }
  }
}

/** A function that returns a promise would append "[object Promise]". */
function checkText(text: unknown): string {
  if (typeof text === 'string') return text;
  throw new TypeError('format must return a text');
}

/** Short, because a turn is kept by it. */
async function digest(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return String(new Uint8Array(hash));
}
