import { buildOpinionPrompt } from '../../shared/ads/judge/opinion.ts';
import { buildPhrasesPrompt } from '../../shared/ads/judge/phrases.ts';
import type { AdText, JudgeQuestion } from '../../shared/platform/judge.ts';

/** Input and output tokens of a model. */
export interface TokenUse {
  sent: number;
  answered: number;
}

const ads: readonly AdText[] = [
  [
    'Trail shoes',
    'Run where the road ends',
    'Light trail shoes with a grip that holds on wet rock. Free returns for 60 days.',
  ],
  [
    'City marathon training',
    'Your first 42 kilometres',
    'A plan for sixteen weeks, made for people with a job and two evenings a week.',
  ],
  [
    'Physio at home',
    'Knees that carry you',
    'Exercises by video with a physiotherapist, and an answer to your questions within a day.',
  ],
  ['Compression socks', 'Fresher legs after long days', 'Merino socks with graded compression, knitted in Portugal.'],
  ['Sports watch', 'Every step counted', 'Pulse, pace and maps for three weeks on one charge. Now with offline music.'],
  [
    'Outdoor store',
    'Everything for the weekend',
    'Tents, packs, boots and stoves, with advice from people who use them.',
  ],
].map(([name = '', headline = '', description = '']) => ({ name, headline, description }));

const question = (...texts: string[]): JudgeQuestion => ({
  messages: texts.map((content, turn) => ({ role: turn % 2 ? 'assistant' : 'user', content })),
  ads,
});

/** Typical conversations with assistants: a question, a few turns, and a long one. */
const SAMPLES: readonly JudgeQuestion[] = [
  question('Which running shoes are good for beginners?'),
  question(
    'My knees hurt after ten kilometres. What could that be?',
    'Often it is a quick rise in distance, worn shoes, or weak hips. How far did you run in the weeks before, and how old are your shoes?',
    'About twenty a week, and they are three years old. Should I get new ones?',
  ),
  question(
    'I want to run the marathon in Hamburg next April.',
    'A fine goal! With sixteen weeks to go most plans have four runs a week: two easy ones, one faster, and a long one at the weekend that grows from 14 to 32 kilometres. Do you have a base already?',
    'I run 25 km a week.',
    'Then start with a long run of 14 km and add two every week, with every fourth week lighter. Eat something on runs of more than 90 minutes, and try what you will eat on the day.',
    'What should I wear when it rains?',
    'A light cap, a thin shell that breathes, and socks without cotton. Shoes with a mesh upper dry faster than lined ones. Rub what chafes with balm before long runs.',
    'Great. And which watch tells me my pace without draining its battery within a day?',
  ),
];

/** Assumption, because tokenizers differ: a word or a sign is one token, and tokens have at most four bytes on average. */
const countTokens = (text: string): number =>
  Math.max(Math.ceil(Buffer.byteLength(text) / 4), text.match(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu)?.length ?? 0);

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
const countPromptTokens = ({ system, user }: { system: string; user: string }) =>
  countTokens(system) + countTokens(user);

const OPINION = '{"safe": true, "welcome": [0.85, 0.05, 0.1, 0.02, 0.3, 0.15]}';
const PHRASES = 100;
const PHRASE = '{"text": "my knees hurt after long runs", "weight": 0.85},';

/** Mean tokens of a second opinion on six ads, over the samples. */
export const opinionTokens = (): TokenUse => ({
  sent: mean(SAMPLES.map((question) => countPromptTokens(buildOpinionPrompt(question)))),
  answered: countTokens(OPINION),
});

/** Tokens to suggest the phrases of one campaign. */
export const phraseTokens = (): TokenUse => {
  const keywords = ['running shoes', 'trail running', 'marathon training', 'half marathon', 'jogging', 'sneakers'];
  return {
    sent: countPromptTokens(
      buildPhrasesPrompt({ ...ads[0]!, keywords, interests: ['Running and Jogging'], categories: ['Shopping'] }),
    ),
    answered: PHRASES * countTokens(PHRASE),
  };
};
