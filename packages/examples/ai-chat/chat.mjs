import { createSponsor } from '@conversation-ads/ai';
import { convertToModelMessages, createUIMessageStreamResponse, streamText, wrapLanguageModel } from 'ai';
import { getUserTexts, isOnTopic } from './answers.mjs';
import { model } from './model.mjs';

/** The two routes of a chat with ads. Each takes a Request and returns a Response, which any framework can call. */
export function createChat({ baseUrl, apiKey }) {
  const sponsor = createSponsor({ baseUrl, apiKey, onError: (error) => console.warn(`No ad: ${error.message}`) });

  async function chat(request) {
    const { id, messages } = await read(request);
    if (!messages) return new Response('This is not a chat', { status: 400 });
    const { signal } = request;
    if (!isOnTopic(getUserTexts(messages))) return answer({ model, messages, abortSignal: signal });
    const turn = sponsor.turn({
      // Your proxy knows the visitor's country: cf-ipcountry, x-vercel-ip-country, cloudfront-viewer-country.
      countryCode: 'US',
      // Required for the key's turnSpacing: the demo's key allows no two ads in a row.
      conversation: { id },
      signal,
    });
    const sponsored = wrapLanguageModel({ model, middleware: turn.middleware });
    return answer({ model: sponsored, messages, abortSignal: signal }, turn.stream);
  }

  return { '/api/chat': chat, '/api/sponsored': sponsor.route };
}

/** Streams the model's answer. @param addAd adds the ad's part to the stream */
const answer = (call, addAd = (stream) => stream) =>
  createUIMessageStreamResponse({ stream: addAd(streamText(call).toUIMessageStream()) });

/** Reads the chat's ID, and its messages in the model's format. Empty if the body is malformed. */
async function read(request) {
  try {
    const { id, messages } = await request.json();
    return { id: String(id), messages: await convertToModelMessages(messages) };
  } catch {
    return {};
  }
}
