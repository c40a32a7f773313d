import { createSponsor } from '@conversation-ads/ai';
import { convertToModelMessages, createUIMessageStreamResponse, streamText, wrapLanguageModel } from 'ai';
import { isOnTopic, saidByUser } from './answers.mjs';
import { model } from './model.mjs';

/** The two routes of a chat with ads, as any framework takes them: a Request in, a Response out. */
export function createChat({ baseUrl, apiKey }) {
  const sponsor = createSponsor({ baseUrl, apiKey, onError: (error) => console.warn(`No ad: ${error.message}`) });

  async function chat(request) {
    const { id, messages } = await read(request);
    if (!messages) return new Response('This is not a chat', { status: 400 });
    const { signal } = request;
    if (!isOnTopic(saidByUser(messages))) return answer({ model, messages, abortSignal: signal });
    const turn = sponsor.turn({
      // Your proxy knows the visitor's country: cf-ipcountry, x-vercel-ip-country, cloudfront-viewer-country.
      countryCode: 'US',
      // Names the conversation, so that the key's turnSpacing holds: the demo's key has no two ads in a row.
      conversation: { id },
      signal,
    });
    const sponsored = wrapLanguageModel({ model, middleware: turn.middleware });
    return answer({ model: sponsored, messages, abortSignal: signal }, turn.stream);
  }

  return { '/api/chat': chat, '/api/sponsored': sponsor.route };
}

/** Streams what the model says. @param add puts the ad's part behind it */
const answer = (call, add = (stream) => stream) =>
  createUIMessageStreamResponse({ stream: add(streamText(call).toUIMessageStream()) });

/** The chat's id and its messages as a model takes them; nothing for any other body. */
async function read(request) {
  try {
    const { id, messages } = await request.json();
    return { id: String(id), messages: await convertToModelMessages(messages) };
  } catch {
    return {};
  }
}
