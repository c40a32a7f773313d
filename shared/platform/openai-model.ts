import * as z from 'zod';
import { type JudgeSettings, type LanguageModel, ModelFault, type Prompt, statusFault } from './language-model.ts';

/** Bytes of an answer that are read: many times what any answer may have. */
const MAX_BYTES = 256 * 1024;

/** How a refusal names what newer models of OpenAI do not take (GPT-5, o3), or other models. */
const REFUSED = /['"](max_tokens|max_completion_tokens|temperature)\\?['"]/;

const completion = z.object({ choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1) });

/**
 * A model behind any endpoint that speaks OpenAI's chat completions. One that refuses how the length is bounded, or a temperature, is
 * asked once more as newer models of OpenAI are, or as others are again, and so from then on. Redirects are not followed: they would take
 * the conversation elsewhere.
 */
export function openAiModel(
  { url, model }: Pick<JudgeSettings, 'url' | 'model'>,
  keyOf: () => Promise<string | undefined>,
): LanguageModel {
  const endpoint = new URL(url);
  endpoint.pathname = `${endpoint.pathname.replace(/\/+$/, '')}/chat/completions`; // before what is asked for in a query
  let isNewer = false;

  async function ask({ system, user, maxTokens }: Prompt, signal: AbortSignal, newer: boolean) {
    const key = await keyOf();
    const response = await fetch(endpoint, {
      method: 'POST',
      redirect: 'manual',
      signal,
      headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
      body: JSON.stringify({
        model,
        ...(newer ? { max_completion_tokens: maxTokens } : { max_tokens: maxTokens, temperature: 0 }),
        response_format: { type: 'json_object' },
        messages: [
          { role: 'system', content: system },
          { role: 'user', content: user },
        ],
      }),
    });
    return { response, text: await readBody(response) };
  }

  return async (prompt, signal) => {
    const newer = isNewer;
    let answer = await ask(prompt, signal, newer);
    if (answer.response.status === 400 && REFUSED.test(answer.text)) {
      isNewer = !newer; // kept before the answer, which may come too late
      answer = await ask(prompt, signal, isNewer);
    }
    const { response, text } = answer;
    if (!response.ok) throw statusFault(response.status);
    return parseContent(text);
  };
}

function parseContent(text: string): string {
  try {
    return completion.parse(JSON.parse(text)).choices[0]!.message.content;
  } catch {
    throw new ModelFault('malformed', { isOutage: false });
  }
}

async function readBody({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_BYTES) throw new ModelFault('too long', { isOutage: false });
  }
  return text + decoder.decode();
}
