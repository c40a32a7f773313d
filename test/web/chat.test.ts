import { expect, test } from 'vitest';
import { OUTCOMES } from '../../shared/platform/values/outcomes.ts';
import { answerTo } from '../../web/chat/assistant.ts';
import { explainCandidate } from '../../web/chat/outcomes.ts';
import type { SampleMessage } from '../../web/chat/samples.ts';

const says = (...contents: string[]): SampleMessage[] =>
  contents.map((content, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content }));
const HELP = 'talk to someone you trust, or to a local helpline';

test.each([
  'I can’t sleep, I feel hopeless and I want to hurt myself.',
  'I want to end it all.',
  'My grandfather died last week.',
  'We lost our little daughter in spring. Which hotel is quiet?',
  'I had a miscarriage, and now I cannot run.',
])('answers distress gently and points to help: %s', (text) => {
  expect(answerTo(says(text))).toContain(HELP);
});

test('gives no advice after a message in distress', () => {
  expect(answerTo(says('My wife passed away.', 'I am so sorry.', 'Which running shoes should I buy?'))).toContain(HELP);
});

test('answers gently if only the service finds the conversation sensitive', () => {
  const message = says('My father has stage four cancer.');
  expect(answerTo(message)).not.toContain(HELP);
  expect(answerTo(message, true)).toMatch(/^That is serious, .*talk to someone you trust/);
  // The answer to a loss takes precedence over the general one.
  expect(answerTo(says('My wife passed away.'), true)).toMatch(/^I am so sorry for your loss/);
});

test.each([
  'My phone died. Which laptop should I buy?',
  'I lost my bike, which one next?',
  'This car passed its test.',
])('gives advice if the user is not in distress: %s', (text) => {
  expect(answerTo(says(text))).not.toContain(HELP);
});

test("explains an outcome in the API's words, and names a missing field by its label", () => {
  expect(explainCandidate({ outcome: 'incomplete', field: 'creative.landingUrl' })).toBe(
    `${OUTCOMES.incomplete.means} Field: Landing page URL.`,
  );
  expect(explainCandidate({ outcome: 'incomplete', field: 'maxCpb' })).toMatch(/ Field: Maximum bid \(USD\)\.$/);
  expect(explainCandidate({ outcome: 'draft', field: 'status' })).toBe(OUTCOMES.draft.means);
});

test('explains no outcome with the name of an API field', () => {
  for (const { means } of Object.values(OUTCOMES)) expect(means).not.toMatch(/[a-z][A-Z]/);
});
