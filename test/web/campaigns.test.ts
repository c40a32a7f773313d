import { expect, test } from 'vitest';
import { check } from '../../web/campaigns/check.ts';
import { parseConversation } from '../../web/campaigns/conversation.ts';
import { EMPTY } from '../../web/campaigns/form-values.ts';
import { parseView, toAddress } from '../../web/campaigns/listing.ts';
import { formatShort, formatShortPercent, formatShortUsd, formatUsd } from '../../web/format.ts';

test('parses pasted text by its speakers, or as one user message without them', () => {
  expect(parseConversation('User: My feet hurt.\nA lot.\n\nassistant: Since when?\nUSER: Today')).toEqual([
    { role: 'user', content: 'My feet hurt.\nA lot.' },
    { role: 'assistant', content: 'Since when?' },
    { role: 'user', content: 'Today' },
  ]);
  expect(parseConversation('\nWhich shoes: red or blue?')).toEqual([
    { role: 'user', content: 'Which shoes: red or blue?' },
  ]);
  expect(parseConversation(' \n ')).toEqual([]);
});

test.each([
  ['Human: Which tent?\n\nAI: For two?', 'Which tent?', 'For two?'],
  ['You: Which tent?\nChatGPT: For two?', 'Which tent?', 'For two?'],
  ['You said:\nWhich tent?\nChatGPT said:\nFor two?', 'Which tent?', 'For two?'],
  ['**Customer:** Which tent?\n**Bot**: For two?', 'Which tent?', 'For two?'],
  ['## User: Which tent?\n> Claude : For two?', 'Which tent?', 'For two?'],
  ['Ich: Welches Zelt?\r\nKI: Für zwei?', 'Welches Zelt?', 'Für zwei?'],
  ['Vous : Quelle tente ?\nIA : Pour deux ?', 'Quelle tente ?', 'Pour deux ?'],
  ['用户：哪个帐篷？\n助手：两个人？', '哪个帐篷？', '两个人？'],
  ['ПОЛЬЗОВАТЕЛЬ: Какую палатку?\nБот: На двоих?', 'Какую палатку?', 'На двоих?'],
])('parses two messages from the transcript %j', (text, user, assistant) => {
  expect(parseConversation(text)).toEqual([
    { role: 'user', content: user },
    { role: 'assistant', content: assistant },
  ]);
});

test('does not start a message at a list item or at a word that starts like a speaker', () => {
  const answer =
    'Look for:\n- Support: a firm heel.\n* Users: beginners.\nAim: comfort. You know: it hurts.\nBottom: grip.';
  expect(parseConversation(`User: Which shoes?\nAI: ${answer}`)).toEqual([
    { role: 'user', content: 'Which shoes?' },
    { role: 'assistant', content: answer },
  ]);
});

test("keeps the list's view in the URL, and ignores invalid values", () => {
  const query = { q: 'shoes & co', status: 'paused', sort: '-spend', page: '3' };
  const address = toAddress(parseView(query));
  expect(Object.fromEntries(new URL(address, 'https://ads.test').searchParams)).toEqual(query);
  expect(toAddress(parseView({ status: 'all of them', sort: 'constructor', page: '-1' }))).toBe('/campaigns');
});

test('validates the form like the API', () => {
  expect(check({ ...EMPTY, name: 'Kayaks', budget: '2000000000', ageRange: '40-20' })).toEqual({
    budget: 'Total budget must be an amount in USD from 0 to 1,000,000,000 with at most 6 decimals.',
    'targetAudience.demographics.ageRange': 'Enter two ages, the lower one first, such as 18-35.',
  });
});

test.each([
  [0, '$0.00'],
  [0.0042, '$0.0042'],
  [1234.5, '$1,234.50'],
  [1e9, '$1,000,000,000.00'],
])('formats %d dollars as %s', (amount, text) => {
  expect(formatUsd(amount)).toBe(text);
});

test.each([
  [0, 500, '0', '$0'],
  [1200, 200, '1.2K', '$1.2K'],
  [1e9, 1e8, '1B', '$1B'],
])('labels an axis at %d, with steps of %d, with %s and %s', (value, step, count, amount) => {
  expect([formatShort(value), formatShortUsd(value, step)]).toEqual([count, amount]);
});

test.each([
  [0.05, ['$0.00', '$0.05', '$0.10', '$0.15']],
  [0.1, ['$0.00', '$0.10', '$0.20', '$0.30']],
  [0.0005, ['$0.0000', '$0.0005', '$0.0010', '$0.0015']],
  [2, ['$0', '$2', '$4', '$6']],
])('labels steps of %d dollars with the same number of decimals', (step, labels) => {
  expect([0, 1, 2, 3].map((place) => formatShortUsd(place * step, step))).toEqual(labels);
});

test.each([
  [0.0005, ['0.00%', '0.05%', '0.10%', '0.15%']],
  [0.02, ['0%', '2%', '4%', '6%']],
  [0.5, ['0%', '50%', '100%', '150%']],
])('labels steps of a rate of %d with the same number of decimals', (step, labels) => {
  expect([0, 1, 2, 3].map((place) => formatShortPercent(place * step, step))).toEqual(labels);
});
