import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { withAds } from '@conversation-ads/ai';
import { streamText } from 'ai';
import { getUserTexts, isOnTopic } from '../ai-chat/answers.mjs';
import { model } from '../ai-chat/model.mjs';
import { findService } from '../serve.mjs';

const modelWithAds = withAds(model, {
  ...(await findService()),
  countryCode: 'US',
  format: 'text',
  onError: (error) => console.warn(`No ad: ${error.message}`),
});

// Required for the key's turnSpacing: the demo's key allows no two ads in a row.
const conversation = { id: randomUUID() };
const messages = [];

console.log('Ask for running shoes, a cabin by the lake, or car insurance. Ctrl-D ends the chat.');
process.stdout.write('\n> ');
for await (const content of createInterface({ input: process.stdin })) {
  messages.push({ role: 'user', content });
  // The canned model answers other topics with an excuse, which is no place for an ad.
  const ads = { conversation, skip: !isOnTopic(getUserTexts(messages)) };
  const { textStream, response } = streamText({ model: modelWithAds, messages, providerOptions: { ads } });
  for await (const text of textStream) process.stdout.write(text);
  messages.push(...(await response).messages);
  process.stdout.write('\n\n> ');
}
