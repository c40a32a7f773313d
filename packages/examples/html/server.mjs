import { readFile } from 'node:fs/promises';
import { createSponsor } from '@conversation-ads/ai';
import { answerTo, getUserTexts, isOnTopic } from '../ai-chat/answers.mjs';
import { findService, serve } from '../serve.mjs';

const sponsor = createSponsor({
  ...(await findService()),
  onError: (error) => console.warn(`No ad: ${error.message}`),
});

/** Answers the conversation, with the part of an ad if one fits. */
async function chat(request) {
  const { id, messages } = await read(request);
  if (!messages) return new Response('This is not a chat', { status: 400 });
  const texts = getUserTexts(messages);
  // Your proxy knows the visitor's country: cf-ipcountry, x-vercel-ip-country, cloudfront-viewer-country.
  const turn = sponsor.turn({ countryCode: 'US', conversation: { id }, signal: request.signal });
  // The bid runs next to the model.
  const [text, ad] = await Promise.all([answerTo(texts), isOnTopic(texts) ? turn.part(messages) : undefined]);
  return Response.json({ text, ad: ad?.data });
}

/** Reads the chat's ID and its messages. Empty if the body is malformed. */
async function read(request) {
  try {
    const { id, messages } = await request.json();
    return messages.every(({ content }) => typeof content === 'string') ? { id: String(id), messages } : {};
  } catch {
    return {};
  }
}

const here = import.meta.dirname;
serve({
  name: 'A page',
  port: 3200,
  files: {
    '/': ['text/html', await readFile(`${here}/page.html`)],
    '/card.js': ['text/javascript', await readFile(new URL(import.meta.resolve('@conversation-ads/ai/card')))],
    '/favicon.ico': ['image/svg+xml', await readFile(`${here}/../ai-chat/icon.svg`)],
  },
  routes: { '/api/chat': chat, '/api/sponsored': sponsor.route },
});
