import { createSponsor } from '@conversation-ads/ai';
import { convertToModelMessages, createUIMessageStreamResponse, streamText, wrapLanguageModel } from 'ai';
import { model } from './model.mjs';

/** The two routes of a chat with ads, as any framework takes them: a Request in, a Response out. */
export function createChat({ baseUrl, apiKey }) {
  const sponsor = createSponsor({ baseUrl, apiKey, onError: (error) => console.warn(`no ad: ${error.message}`) });

  async function chat(request) {
    const { messages } = await request.json();
    // Your proxy knows the visitor's country: cf-ipcountry, x-vercel-ip-country, cloudfront-viewer-country.
    const turn = sponsor.turn({ countryCode: 'US', signal: request.signal });
    const result = streamText({
      model: wrapLanguageModel({ model, middleware: turn.middleware }),
      messages: await convertToModelMessages(messages),
      abortSignal: request.signal,
    });
    return createUIMessageStreamResponse({ stream: turn.stream(result.toUIMessageStream()) });
  }

  return { '/api/chat': chat, '/api/sponsored': sponsor.route };
}
