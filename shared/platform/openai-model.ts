import * as z from 'zod';
import type { JudgeSettings, LanguageModel } from './language-model.ts';

/** Bytes of an answer that are read: many times what any answer may have. */
const MOST_BYTES = 256 * 1024;

const completion = z.object({ choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1) });

/** A model behind any endpoint that speaks OpenAI's chat completions. Redirects are refused: they would take the conversation elsewhere. */
export function openAiModel(
  { url, model }: Pick<JudgeSettings, 'url' | 'model'>,
  keyOf: () => Promise<string | undefined>,
): LanguageModel {
  return async ({ system, user, maxTokens }, signal) => {
    const key = await keyOf();
    const response = await fetch(`${url}/chat/completions`, {
      method: 'POST',
      redirect: 'error',
      signal,
      headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
      body: JSON.stringify({
        model,
        temperature: 0,
        max_tokens: maxTokens,
        response_format: { type: 'json_object' },
        messages: [
          { role: 'system', content: system },
          { role: 'user', content: user },
        ],
      }),
    });
    const text = await bodyOf(response);
    if (!response.ok) throw new Error(`the model's endpoint answered ${response.status}`);
    return completion.parse(JSON.parse(text)).choices[0]!.message.content;
  };
}

async function bodyOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MOST_BYTES) throw new Error('the answer is too long');
  }
  return text + decoder.decode();
}
