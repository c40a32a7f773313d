import * as z from 'zod';
import { type JudgeSettings, type LanguageModel, ModelFault, type Prompt, statusFault } from './language-model.ts';

/** Maximum bytes of a response, many times more than any valid one has. */
const MAX_BYTES = 256 * 1024;

/** Parameters named in an error if the model does not accept them. Newer OpenAI models (GPT-5, o3) differ from other models here. */
const REFUSED = /['"](max_tokens|max_completion_tokens|temperature)\\?['"]/;

const completion = z.object({ choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1) });

/**
 * A model behind an OpenAI-compatible chat completions API. If the model rejects the token limit or the temperature, the request is sent
 * again in the other style (newer OpenAI models, or all others), and that style is kept. Redirects are not followed, because they would send
 * the conversation to another server.
 */
export function openAiModel(
  { url, model }: Pick<JudgeSettings, 'url' | 'model'>,
  keyOf: () => Promise<string | undefined>,
): LanguageModel {
  const endpoint = new URL(url);
  endpoint.pathname = `${endpoint.pathname.replace(/\/+$/, '')}/chat/completions`; // Appends to the path and keeps the query.
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
      isNewer = !newer; // Set before the second request, because the caller may abort it.
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
