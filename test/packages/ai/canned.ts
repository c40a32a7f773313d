import * as major7 from 'ai';
import * as major6 from 'ai-6';
import type { Turn } from '../../../packages/ai/src/index.ts';

const system = 'You sell nothing.';
const messages = [
  { role: 'user' as const, content: [{ type: 'text' as const, text: 'Which running shoes should I buy?' }] },
];

type Streamed = (turn: Turn, model: CannedModel, abortSignal?: AbortSignal) => ReadableStream<{ type: string }>;

/** Both supported major versions of the AI SDK. Compiling the calls also checks our types against theirs. */
export const majors: { major: string; streamed: Streamed }[] = [
  {
    major: '6',
    streamed(turn, canned, abortSignal) {
      const model = major6.wrapLanguageModel({ model: canned, middleware: turn.middleware });
      return turn.stream(major6.streamText({ model, system, messages, abortSignal, onError() {} }).toUIMessageStream());
    },
  },
  {
    major: '7',
    streamed(turn, canned, abortSignal) {
      const model = major7.wrapLanguageModel({ model: canned, middleware: turn.middleware });
      return turn.stream(major7.streamText({ model, system, messages, abortSignal, onError() {} }).toUIMessageStream());
    },
  },
  {
    major: '7 (toUIMessageStream)',
    streamed(turn, canned, abortSignal) {
      const model = major7.wrapLanguageModel({ model: canned, middleware: turn.middleware });
      const { stream } = major7.streamText({ model, system, messages, abortSignal, onError() {} });
      return turn.stream(major7.toUIMessageStream({ stream }));
    },
  },
];

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

type Finish = 'stop' | 'tool-calls' | 'content-filter' | 'length';

type CannedModel = ReturnType<typeof cannedModel>;

/** A model that streams a given answer word by word, after `before` resolves. */
export function cannedModel({
  words = ['Good', ' shoes.'],
  before = async (): Promise<unknown> => undefined,
  finish = 'stop' as Finish,
  fault = '',
} = {}) {
  const stream = () =>
    new ReadableStream({
      async start(controller) {
        controller.enqueue({ type: 'stream-start', warnings: [] });
        controller.enqueue({ type: 'text-start', id: 't' });
        for (const delta of words) controller.enqueue({ type: 'text-delta', id: 't', delta });
        await before();
        controller.enqueue({ type: 'text-end', id: 't' });
        if (fault) controller.enqueue({ type: 'error', error: new Error(fault) });
        else controller.enqueue({ type: 'finish', usage, finishReason: { unified: finish, raw: finish } });
        controller.close();
      },
    });
  return {
    specificationVersion: 'v3' as const,
    provider: 'canned',
    modelId: 'canned',
    supportedUrls: {},
    doGenerate: async () => {
      throw new Error('it streams alone');
    },
    doStream: async () => ({ stream: stream() }),
  };
}
