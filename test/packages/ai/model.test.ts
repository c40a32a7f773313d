import type { Server } from 'node:http';
import * as major7 from 'ai';
import * as major6 from 'ai-6';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createGateway, listen } from '../../../infra/local/gateway.ts';
import { type AdsOptions, readAd, type TurnEvent, withAds } from '../../../packages/ai/src/index.ts';
import { useService } from '../../service.ts';

const service = useService();
let server: Server;
let options: AdsOptions;

beforeAll(async () => {
  server = createGateway(service.stack.apps);
  await service.campaign({
    creative: {
      headline: 'Run further',
      description: 'Shoes for your first 10k.',
      callToAction: 'Find your pair',
      landingUrl: 'https://shoes.example/',
      sponsoredBy: 'Fleet Feet',
    },
  });
  const apiKey = await service.key();
  options = { baseUrl: `http://localhost:${await listen(server, 0)}`, apiKey, countryCode: 'US', deadlineMs: 10_000 };
});
afterAll(() => server.close());
// A key may request 15 bids and 15 ads per second.
beforeEach(() => service.clock.advance(1_000));

const QUESTION = 'Which running shoes should I buy?';
const AD =
  /^\n\n---\n\n\*Sponsored · Fleet Feet\* {2}\n\*\*Run further\*\* {2}\nShoes for your first 10k\\?\. \[Find your pair\]\(https:\/\/\S+\/api\/v1\/click\/[\w-]+\)$/;

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const TOOL_CALL = { type: 'tool-call' as const, toolCallId: 'c', toolName: 'search', input: '{}' };
const TOOL_RESULT = { type: 'tool-result' as const, toolCallId: 'c', toolName: 'search', result: {} };

type ToolPart = (typeof TOOL_CALL & { providerExecuted?: true }) | typeof TOOL_RESULT;

/** One call of the scripted model: its text, then how it ends. */
interface Answer {
  text?: string;
  finish?: 'stop' | 'length' | 'content-filter' | 'tool-calls';
  tool?: boolean;
  /** Parts before and after the text. */
  before?: ToolPart[];
  after?: ToolPart[];
  /** The call is rejected with this error. */
  error?: Error;
  /** The stream breaks with this error. */
  fault?: string;
  wait?: () => Promise<unknown>;
}

/** A model that gives these answers in turn, and keeps the calls that it gets. */
function scriptedModel(answers: Answer[]) {
  const calls: { prompt: { role: string; content: unknown }[]; providerOptions?: unknown }[] = [];
  const begin = (call: (typeof calls)[number]): Answer => {
    calls.push(call);
    return answers[calls.length - 1] ?? answers.at(-1)!;
  };
  const toContent = ({ text = 'Good shoes.', tool, before = [], after = [] }: Answer) => [
    ...before,
    { type: 'text' as const, text },
    ...after,
    ...(tool ? [TOOL_CALL] : []),
  ];
  const toFinish = ({ tool, finish = tool ? 'tool-calls' : 'stop' }: Answer) => ({ unified: finish, raw: finish });
  const model = {
    specificationVersion: 'v3' as const,
    provider: 'scripted',
    modelId: 'scripted',
    supportedUrls: {},
    async doGenerate(call: never) {
      const answer = begin(call);
      await answer.wait?.();
      if (answer.error) throw answer.error;
      return { content: toContent(answer), finishReason: toFinish(answer), usage, warnings: [] };
    },
    async doStream(call: never) {
      const answer = begin(call);
      if (answer.error) throw answer.error;
      const stream = new ReadableStream({
        async start(controller) {
          controller.enqueue({ type: 'stream-start', warnings: [] });
          for (const part of answer.before ?? []) controller.enqueue(part);
          controller.enqueue({ type: 'text-start', id: 't' });
          for (const delta of (answer.text ?? 'Good shoes.').split(/(?<= )/))
            controller.enqueue({ type: 'text-delta', id: 't', delta });
          await answer.wait?.();
          controller.enqueue({ type: 'text-end', id: 't' });
          for (const part of answer.after ?? []) controller.enqueue(part);
          if (answer.tool) controller.enqueue(TOOL_CALL);
          if (answer.fault) controller.enqueue({ type: 'error', error: new Error(answer.fault) });
          else controller.enqueue({ type: 'finish', usage, finishReason: toFinish(answer) });
          controller.close();
        },
      });
      return { stream };
    },
  };
  return { model, calls };
}

/** The scripted model with ads, and what the package asked and reported. */
function adModel(answers: Answer[] = [{}], more: Partial<AdsOptions> = {}) {
  const asked: { path: string; body: unknown }[] = [];
  const events: TurnEvent[] = [];
  const errors: unknown[] = [];
  const { model, calls } = scriptedModel(answers);
  const wrapped = withAds(model, {
    ...options,
    onEvent: (event) => events.push(event),
    onError: (error) => errors.push(error),
    ...more,
    fetch(url, init) {
      const { pathname } = new URL(String(url));
      asked.push({ path: `${init?.method} ${pathname.replace(/[\w-]{36}$/, ':id')}`, body: init?.body });
      return (more.fetch ?? fetch)(url, init);
    },
  });
  return { model: wrapped, calls, asked, events, errors, paths: () => asked.map(({ path }) => path) };
}
type AdModel = ReturnType<typeof adModel>['model'];

const getCodes = (events: TurnEvent[]) => events.map((event) => (event.type === 'no_fill' ? event.code : event.type));

interface Ask {
  messages?: { role: 'user' | 'assistant'; content: string }[];
  ads?: { countryCode?: string; conversation?: { id: string; turn?: number }; variant?: string };
  abortSignal?: AbortSignal;
  tools?: boolean;
}
interface Result {
  text: string;
  metadata: Record<string, unknown> | undefined;
  messages: unknown[];
}

const getCall = (model: AdModel, { messages = [{ role: 'user', content: QUESTION }], ads, abortSignal }: Ask) => ({
  model,
  messages,
  ...(ads && { providerOptions: { ads } }),
  ...(abortSignal && { abortSignal }),
});
const schema = { type: 'object' as const, properties: {} };
const tools6 = {
  search: major6.tool({ inputSchema: major6.jsonSchema(schema), execute: async () => ({ found: 'shoes' }) }),
};
const tools7 = {
  search: major7.tool({ inputSchema: major7.jsonSchema(schema), execute: async () => ({ found: 'shoes' }) }),
};

/** Both functions of both supported major versions. Compiling the calls also checks our types against theirs. */
const ways: { way: string; ask(model: AdModel, asked?: Ask): Promise<Result> }[] = [
  {
    way: 'generateText of version 6',
    async ask(model, asked = {}) {
      const stopWhen = major6.stepCountIs(3);
      const result = await major6.generateText({
        ...getCall(model, asked),
        maxRetries: 1,
        ...(asked.tools && { tools: tools6, stopWhen }),
      });
      return { text: result.text, metadata: result.providerMetadata, messages: result.response.messages };
    },
  },
  {
    way: 'streamText of version 6',
    async ask(model, asked = {}) {
      const stopWhen = major6.stepCountIs(3);
      const result = major6.streamText({
        ...getCall(model, asked),
        maxRetries: 1,
        onError() {},
        ...(asked.tools && { tools: tools6, stopWhen }),
      });
      await result.consumeStream();
      const [text, metadata, { messages }] = await Promise.all([result.text, result.providerMetadata, result.response]);
      return { text, metadata, messages };
    },
  },
  {
    way: 'generateText of version 7',
    async ask(model, asked = {}) {
      const stopWhen = major7.stepCountIs(3);
      const result = await major7.generateText({
        ...getCall(model, asked),
        maxRetries: 1,
        ...(asked.tools && { tools: tools7, stopWhen }),
      });
      return { text: result.text, metadata: result.providerMetadata, messages: result.response.messages };
    },
  },
  {
    way: 'streamText of version 7',
    async ask(model, asked = {}) {
      const stopWhen = major7.stepCountIs(3);
      const result = major7.streamText({
        ...getCall(model, asked),
        maxRetries: 1,
        onError() {},
        ...(asked.tools && { tools: tools7, stopWhen }),
      });
      await result.consumeStream();
      const [text, metadata, { messages }] = await Promise.all([result.text, result.providerMetadata, result.response]);
      return { text, metadata, messages };
    },
  },
];

describe.each(ways)('With $way', ({ ask }) => {
  it('ends the answer with one labeled ad', async () => {
    const made = adModel();
    const { text } = await ask(made.model);
    expect(text.startsWith('Good shoes.')).toBe(true);
    expect(text.slice('Good shoes.'.length)).toMatch(AD);
    expect(made.paths()).toEqual(['POST /api/v1/ssp/bid', 'GET /api/v1/ssp/ad/:id']);
    expect(made.events).toEqual([{ type: 'filled', bidId: expect.any(String), bid: 4 }]);
    expect(made.errors).toEqual([]);
  });

  it('requests one bid and one ad for an answer of several steps, and appends it to the last one', async () => {
    const made = adModel([{ text: 'Let me see.', tool: true }, { text: 'And again.', tool: true }, { text: 'Found.' }]);
    const { text } = await ask(made.model, { tools: true });
    expect(text.startsWith('Found.')).toBe(true);
    expect(text.slice('Found.'.length)).toMatch(AD);
    expect(made.calls).toHaveLength(3);
    expect(made.paths()).toEqual(['POST /api/v1/ssp/bid', 'GET /api/v1/ssp/ad/:id']);
    expect(getCodes(made.events)).toEqual(['filled']);
  });

  it('keeps the bids of turns apart that wait for a tool at the same time', async () => {
    const made = adModel([{ tool: true }, { tool: true }, { text: 'One.' }, { text: 'Two.' }]);
    const results = await Promise.all(
      ['a', 'b'].map((id) => ask(made.model, { tools: true, ads: { conversation: { id } } })),
    );
    const urls = results.map(({ text }) => /\/click\/([\w-]+)/.exec(text)?.[1]);
    expect(new Set(urls).size).toBe(2);
    expect(made.events.map((event) => event.conversation?.id).sort()).toEqual(['a', 'b']);
    expect(getCodes(made.events)).toEqual(['filled', 'filled']);
  });

  it('shares one bid between the attempts of a call that fails', async () => {
    const error = Object.assign(
      new major7.APICallError({ message: 'busy', url: '', requestBodyValues: {}, statusCode: 503, isRetryable: true }),
      { responseHeaders: { 'retry-after-ms': '1' } },
    );
    const made = adModel([{ error }, {}]);
    expect((await ask(made.model)).text).toMatch(/Sponsored/);
    expect(made.calls).toHaveLength(2);
    expect(made.paths()).toEqual(['POST /api/v1/ssp/bid', 'GET /api/v1/ssp/ad/:id']);
    expect(getCodes(made.events)).toEqual(['filled']);
  });

  it.each([
    ['is filtered', { finish: 'content-filter' }],
    ['is empty', { text: ' ' }],
    ['fails', { error: new Error('overloaded') }],
  ] as const)('requests no ad for an answer that %s', async (_, answer) => {
    const made = adModel([answer]);
    const result = await ask(made.model).catch(() => undefined);
    expect(result?.text ?? '').not.toContain('Sponsored');
    expect(made.paths()).not.toContain('GET /api/v1/ssp/ad/:id');
    expect(getCodes(made.events)).toEqual(['no_answer']);
  });

  it.each([
    ['rejects the bid', 500, 500],
    ['does not respond to the bid', 'down', 500],
    ['rejects the ad', 200, 404],
    ['does not respond to the ad in time', 200, 'stalled'],
  ] as const)('leaves the answer as it is if the service %s', async (_, bid, ad) => {
    const reply = async (what: typeof bid | typeof ad, init?: RequestInit) => {
      if (what === 'down') throw new TypeError('fetch failed');
      if (what === 'stalled') return stalled(init);
      const body = what === 200 ? { bid: 4, bidId: '00000000-0000-4000-8000-000000000000' } : {};
      return Response.json(body, { status: what });
    };
    const made = adModel([{}], {
      fetch: (_, init) => reply(init?.method === 'POST' ? bid : ad, init),
      ...(ad === 'stalled' && { deadlineMs: 30 }),
    });
    expect((await ask(made.model)).text).toBe('Good shoes.');
    expect(getCodes(made.events)).toEqual([ad === 404 ? 'expired' : 'error']);
    expect(made.errors).toHaveLength(ad === 404 ? 0 : 1);
  });

  it('removes the ad of an earlier answer from what the model and the bid get', async () => {
    const made = adModel();
    const first = await ask(made.model);
    const kept = [...JSON.parse(JSON.stringify(first.messages)), { role: 'assistant', content: first.text }];
    const question = { role: 'user' as const, content: QUESTION };
    await ask(made.model, { messages: [question, ...kept, question] });
    const sent = JSON.stringify(made.calls[1]!.prompt);
    expect(sent.match(/Good shoes\./g)).toHaveLength(2);
    for (const text of [sent, String(made.asked[2]!.body)]) expect(text).not.toMatch(/Sponsored|Run further|click/);
  });

  it('appends nothing with the format part, and returns the ad beside the answer', async () => {
    const made = adModel([{}], { format: 'part' });
    const { text, metadata } = await ask(made.model);
    expect(text).toBe('Good shoes.');
    expect(readAd(metadata)).toMatchObject({
      disclosure: 'Sponsored',
      advertiser: 'Fleet Feet',
      headline: 'Run further',
      url: expect.stringContaining('/api/v1/click/'),
    });
    expect(readAd((await ask(adModel([{ finish: 'content-filter' }]).model)).metadata)).toBeUndefined();
  });

  it('takes the country, the conversation, and the variant of a call, and hides them from the model', async () => {
    const made = adModel([{}], { countryCode: () => 'CH' });
    const ads = { countryCode: 'DE', conversation: { id: 'thread-1', turn: 3 }, variant: 'B' };
    await ask(made.model, { ads });
    await ask(made.model);
    expect(made.asked.filter(({ body }) => body).map(({ body }) => JSON.parse(String(body)))).toMatchObject([
      ads,
      { countryCode: 'CH' },
    ]);
    expect(JSON.stringify(made.calls)).not.toMatch(/thread-1|"DE"/);
    expect(made.events[0]).toMatchObject({ conversation: ads.conversation, variant: 'B' });
  });
});

/** Never responds, until it is aborted. */
const stalled = (init?: RequestInit) =>
  new Promise<Response>((_, reject) => init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason)));

it('wraps a model of version 4 of the specification', async () => {
  const model = withAds({ ...scriptedModel([{}]).model, specificationVersion: 'v4' as const }, options);
  expect((await major7.generateText({ model, prompt: QUESTION })).text.slice('Good shoes.'.length)).toMatch(AD);
  expect(await major7.streamText({ model, prompt: QUESTION }).text).toMatch(/Sponsored/);
});

it('streams the text before the bid has arrived', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const made = adModel([{}], { fetch: (url, init) => promise.then(() => fetch(url, init)) });
  const parts: string[] = [];
  for await (const text of major7.streamText({ model: made.model, prompt: QUESTION }).textStream) {
    parts.push(text);
    if (parts.join('') === 'Good shoes.') resolve();
  }
  expect(parts.slice(0, 2)).toEqual(['Good ', 'shoes.']);
  expect(parts[2]).toMatch(AD);
});

it('gives the ad a text part of its own in a UI message stream, and removes it when the chat sends it back', async () => {
  const made = adModel();
  const { toUIMessageStream, readUIMessageStream, convertToModelMessages, streamText } = major7;
  let answer: major7.UIMessage | undefined;
  const { stream } = streamText({ model: made.model, prompt: QUESTION });
  for await (const message of readUIMessageStream({ stream: toUIMessageStream({ stream }) })) answer = message;
  const texts = answer!.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  expect(texts).toEqual(['Good shoes.', expect.stringMatching(AD)]);
  const again: major7.UIMessage = { id: '2', role: 'user', parts: [{ type: 'text', text: QUESTION }] };
  await streamText({
    model: made.model,
    messages: await convertToModelMessages([again, answer!, again]),
  }).consumeStream();
  const { content } = made.calls[1]!.prompt[1]!;
  expect(content).toMatchObject([{ text: 'Good shoes.' }]);
  expect(content).toHaveLength(1);
});

it('adds nothing to a call that skips its ad, and still removes the ads of earlier answers', async () => {
  const made = adModel();
  const earlier = { role: 'assistant' as const, content: 'Hi.\n\n---\n\nSponsored: https://a.test/api/v1/click/1' };
  const { text } = await major7.generateText({
    model: made.model,
    messages: [{ role: 'user', content: 'Hi' }, earlier, { role: 'user', content: QUESTION }],
    providerOptions: { ads: { skip: true } },
  });
  expect([text, made.asked, made.events]).toEqual(['Good shoes.', [], []]);
  expect(made.calls[0]!.prompt[1]!.content).toMatchObject([{ text: 'Hi.' }]);
});

it('adds nothing to structured output, and asks for no bid', async () => {
  const made = adModel([{ text: '{"size": 42}' }]);
  const sizes = { type: 'object' as const, properties: { size: { type: 'number' as const } } };
  const schema = major7.jsonSchema<{ size: number }>(sizes);
  const { output } = await major7.generateText({
    model: made.model,
    prompt: QUESTION,
    output: major7.Output.object({ schema }),
  });
  expect(output).toEqual({ size: 42 });
  const asked = { model: made.model, prompt: QUESTION, schema: major6.jsonSchema(sizes) };
  expect((await major6.generateObject(asked)).object).toEqual({ size: 42 });
  expect([made.asked, made.events]).toEqual([[], []]);
  expect((await major7.generateText({ model: made.model, prompt: `${QUESTION} As JSON.` })).text).toBe('{"size": 42}');
  expect(getCodes(made.events)).toEqual(['no_answer']);
});

it('requests no ad if the user leaves, whether by the signal or by canceling the stream', async () => {
  for (const { way, ask } of ways) {
    const abort = new AbortController();
    const made = adModel([{ wait: async () => abort.abort() }]);
    await ask(made.model, { abortSignal: abort.signal }).catch(() => undefined);
    await expect.poll(() => getCodes(made.events), { message: way }).toEqual(['aborted']);
    expect(made.paths()).not.toContain('GET /api/v1/ssp/ad/:id');
  }
  const made = adModel([{ wait: () => new Promise(() => {}) }]);
  const { stream } = await made.model.doStream({
    prompt: [{ role: 'user', content: [{ type: 'text', text: QUESTION }] }],
  } as never);
  await stream.cancel();
  expect(getCodes(made.events)).toEqual(['aborted']);
});

/** What the SDK passes to a model for a question. */
const toCall = (text: string) => ({ prompt: [{ role: 'user', content: [{ type: 'text', text }] }] }) as never;

it('counts and shows nothing if the stream is canceled while its ad is requested', async () => {
  for (const awaited of ['POST', 'GET']) {
    const { promise: reached, resolve } = Promise.withResolvers<void>();
    const made = adModel([{}], {
      fetch(url, init) {
        if (init?.method !== awaited) return fetch(url, init);
        resolve();
        return stalled(init);
      },
    });
    const { stream } = await made.model.doStream(toCall(QUESTION));
    const reader = stream.getReader();
    const read = (async () => {
      while (!(await reader.read()).done);
    })();
    await reached;
    await reader.cancel();
    await read;
    await expect.poll(() => getCodes(made.events)).toEqual(['aborted']);
    expect(made.paths().filter((path) => path.startsWith('GET'))).toHaveLength(awaited === 'GET' ? 1 : 0);
  }
});

it('reports at once that the user has left while a tool runs', async () => {
  const abort = new AbortController();
  const execute = async () => {
    await new Promise((resolve) => setTimeout(resolve, 20)); // until the bid has arrived
    abort.abort();
  };
  const tools = { search: major7.tool({ inputSchema: major7.jsonSchema(schema), execute }) };
  const made = adModel([{ tool: true }], { fetch: async () => Response.json({ bid: 4, bidId: 'b' }) });
  const { signal } = abort;
  await major7.generateText({ model: made.model, prompt: QUESTION, tools, abortSignal: signal }).catch(() => undefined);
  await expect.poll(() => getCodes(made.events)).toEqual(['aborted']);
});

it('takes no bid over from a turn that waits for a tool, or for a user of another country', async () => {
  const made = adModel([{ tool: true }, {}, { error: Object.assign(new Error('busy'), { isRetryable: true }) }, {}]);
  await major7.generateText({ model: made.model, prompt: QUESTION, tools: tools7 });
  await made.model.doGenerate(toCall(QUESTION));
  await made.model.doGenerate(toCall(QUESTION)).catch(() => undefined);
  await made.model.doGenerate({
    ...(toCall(QUESTION) as object),
    providerOptions: { ads: { countryCode: 'DE' } },
  } as never);
  const bids = made.asked.filter(({ body }) => body).map(({ body }) => JSON.parse(String(body)).countryCode);
  expect(bids).toEqual(['US', 'US', 'US', 'DE']);
});

it('waits for the last step if a tool of the provider returns its result in a later one', async () => {
  const call = { ...TOOL_CALL, providerExecuted: true as const };
  const search = {
    type: 'provider' as const,
    id: 'scripted.search' as const,
    args: {},
    isProviderExecuted: true as const,
    supportsDeferredResults: true,
    inputSchema: major7.jsonSchema(schema),
    outputSchema: major7.jsonSchema(schema),
  };
  for (const toAnswer of [major7.generateText, major7.streamText]) {
    const made = adModel([{ text: 'Let me see.', after: [call] }, { before: [TOOL_RESULT] }]);
    const stopWhen = major7.stepCountIs(3);
    const { steps } = await toAnswer({ model: made.model, prompt: QUESTION, tools: { search }, stopWhen });
    const texts = (await steps).map(({ text }) => text);
    expect(texts).toEqual(['Let me see.', expect.stringContaining('Sponsored')]);
    expect(getCodes(made.events)).toEqual(['filled']);
  }
  // Some providers call a tool and never return its result.
  for (const answer of [{ before: [call] }, { after: [call, TOOL_RESULT] }])
    expect(await major7.streamText({ model: adModel([answer]).model, prompt: QUESTION }).text).toMatch(/Sponsored/);
});

it('reports a turn that nobody continues when its bid has expired', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout'] });
  try {
    const made = adModel([{ tool: true }], { fetch: async () => Response.json({ bid: 4, bidId: 'b' }) });
    await major7.generateText({ model: made.model, prompt: QUESTION, tools: tools7 });
    expect(made.events).toEqual([]);
    vi.advanceTimersByTime(300_000);
    expect(getCodes(made.events)).toEqual(['no_answer']);
  } finally {
    vi.useRealTimers();
  }
});

it('reports a bid that has expired before the answer is complete', async () => {
  const made = adModel([{ wait: async () => expect.poll(() => made.asked.length).toBe(1) }], {
    async fetch(url, init) {
      const response = await fetch(url, init);
      if (init?.method === 'POST') service.clock.advance(5 * 60_000 + 1);
      return response;
    },
  });
  expect((await major7.generateText({ model: made.model, prompt: QUESTION })).text).toBe('Good shoes.');
  expect([getCodes(made.events), made.errors]).toEqual([['expired'], []]);
});

it('reports why there is no bid, and an error if the country is missing', async () => {
  const joke = adModel();
  await major7.generateText({ model: joke.model, prompt: 'Tell me a joke about penguins' });
  expect(joke.events).toEqual([
    { type: 'no_fill', code: 'no_commercial_context', meaning: 'Nothing commercial is being discussed.' },
  ]);
  for (const countryCode of [undefined, () => undefined, async () => 'US']) {
    const made = adModel([{}], { countryCode: countryCode as never });
    expect((await major7.generateText({ model: made.model, prompt: QUESTION })).text).toBe('Good shoes.');
    expect(made.errors).toMatchObject([{ message: expect.stringMatching(/^countryCode is missing/) }]);
    expect(made.asked).toEqual([]);
  }
});

it('accepts a function as the format, and leaves the answer as it is if the function fails', async () => {
  const made = adModel([{}], { format: ({ disclosure, advertiser, url }) => `${disclosure} by ${advertiser}: ${url}` });
  const { text } = await major7.generateText({ model: made.model, prompt: QUESTION });
  expect(text).toMatch(/^Good shoes\.\n\n---\n\nSponsored by Fleet Feet: https:\S+$/);
  const messages = [
    { role: 'assistant' as const, content: text },
    { role: 'user' as const, content: QUESTION },
  ];
  await major7.generateText({ model: made.model, messages });
  expect(JSON.stringify(made.calls[1]!.prompt)).not.toContain('Sponsored');
  const format = () => {
    throw new Error('no layout');
  };
  for (const [broken, message] of [
    [adModel([{}], { format }), 'no layout'],
    [adModel([{}], { format: (async () => '') as never }), 'format must return a text'],
  ] as const) {
    expect((await major7.generateText({ model: broken.model, prompt: QUESTION })).text).toBe('Good shoes.');
    expect(broken.errors).toMatchObject([{ message }]);
  }
});

it('closes a block of code that a truncated answer left open, so that the ad is not part of it', async () => {
  const text = 'Run this:\n\n```sh\nnpm i\n```\n\n````js\nconst a = `\n```';
  const made = adModel([{ text, finish: 'length' }]);
  const answer = (await major7.generateText({ model: made.model, prompt: QUESTION })).text;
  expect(answer.startsWith(`${text}\n\`\`\`\`\n\n---\n\n*Sponsored`)).toBe(true);
});

it('rejects the ID of a model, and a missing key or URL', () => {
  expect(() => withAds('openai/gpt-5' as never, options)).toThrow(/^model must be a language model/);
  const { model } = scriptedModel([]);
  expect(() => withAds(model, { ...options, apiKey: '' })).toThrow(/^apiKey is missing/);
  expect(() => withAds(model)).toThrow(/^apiKey is missing/);
  expect(() => withAds(model, { apiKey: 'k' })).toThrow(/^baseUrl is missing/);
});

it('keeps everything else of the model, including private state', () => {
  class Model {
    readonly specificationVersion = 'v3';
    readonly modelId = 'own';
    readonly supportedUrls = {};
    #name = 'secret';
    get provider() {
      return this.#name;
    }
    describe() {
      return this.#name;
    }
    doGenerate = scriptedModel([]).model.doGenerate;
    doStream = scriptedModel([]).model.doStream;
  }
  const wrapped = withAds(new Model(), options);
  expect([wrapped.modelId, wrapped.provider, wrapped.describe()]).toEqual(['own', 'secret', 'secret']);
});
