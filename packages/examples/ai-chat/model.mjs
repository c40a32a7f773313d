import { answerTo, getUserTexts } from './answers.mjs';

const WORD_MS = 20;

const usage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};

const finishReason = { unified: 'stop', raw: 'stop' };

/**
 * A model that needs no key: it gives a canned answer, and streams it word by word. Replace it with yours.
 * @type {Parameters<typeof import('ai').wrapLanguageModel>[0]['model']}
 */
export const model = {
  specificationVersion: 'v3',
  provider: 'example',
  modelId: 'canned',
  supportedUrls: {},
  async doGenerate({ prompt }) {
    const text = answerTo(getUserTexts(prompt));
    return { content: [{ type: 'text', text }], finishReason, usage, warnings: [] };
  },
  async doStream({ prompt }) {
    const answer = answerTo(getUserTexts(prompt));
    const stream = new ReadableStream({
      async start(controller) {
        controller.enqueue({ type: 'stream-start', warnings: [] });
        controller.enqueue({ type: 'text-start', id: 'answer' });
        for (const word of answer.split(/(?<= )/)) {
          controller.enqueue({ type: 'text-delta', id: 'answer', delta: word });
          await new Promise((resolve) => setTimeout(resolve, WORD_MS));
        }
        controller.enqueue({ type: 'text-end', id: 'answer' });
        controller.enqueue({ type: 'finish', usage, finishReason });
        controller.close();
      },
    });
    return { stream };
  },
};
