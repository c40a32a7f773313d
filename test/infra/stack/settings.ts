import { expect, test } from 'vitest';
import { CHOICES, type Choices, find, functionsOf, resourcesOf, synthesizedOf, templateOf } from './template.ts';

test('settings of the service reach every function', () => {
  const template = templateOf(CHOICES.openai);
  for (const { Properties } of functionsOf(template)) {
    expect(Properties.Environment.Variables).toMatchObject({
      BID_TTL_SECONDS: '60',
      MAX_CAMPAIGNS_PER_USER: '500',
      JUDGE: 'openai',
      JUDGE_MODEL: 'small',
      JUDGE_URL: 'https://models.example/v1',
      JUDGE_KEY_SECRET: 'ads/judge',
    });
  }
});

test.each([
  [CHOICES.prod, []],
  [CHOICES.now, [40, 20, 20]],
  [CHOICES.dev, []],
  [CHOICES.bedrock, [1, 1, 1]],
])('%j reserves runs for bid, ad and click only where it asks for them', (choices, expected) => {
  const functions = functionsOf(templateOf(choices)).map(({ Properties }) => Properties);
  const kept = functions.filter(({ ReservedConcurrentExecutions }) => ReservedConcurrentExecutions !== undefined);
  const prefix = `ads-${choices.stage}-`;
  expect(
    kept.map(({ FunctionName, ReservedConcurrentExecutions }) => [FunctionName, ReservedConcurrentExecutions]),
  ).toEqual(
    ['ssp-bid', 'ssp-ad', 'click-redirect'].flatMap((name, at) =>
      expected[at] ? [[prefix + name, expected[at]]] : [],
    ),
  );
});

test('warns only about settings that the next deployment without -c reverts', () => {
  expect(synthesizedOf(CHOICES.prod).warnings).toEqual([]);
  const [warning, ...others] = synthesizedOf(CHOICES.iam).warnings;
  expect(warning).toMatch(/^alarmEmail: set by -c for this deployment only; .* infra\/stages\/prod\.json/);
  expect(others).toEqual([]);
});

test('a production stage keeps the log group of its site while the site is switched off', () => {
  const groups = (choices: Choices) =>
    resourcesOf(templateOf(choices), 'AWS::Logs::LogGroup').map(({ id, Properties }) => [id, Properties.LogGroupName]);
  expect(groups(CHOICES.prod).sort()).toEqual(groups(CHOICES.site).sort());
  expect(groups(CHOICES.dev).flat()).not.toContain('/ads/dev/site');
});

test('a base URL takes precedence over the domain', () => {
  const template = templateOf(CHOICES.openai);
  const { Properties } = find(template, 'AWS::Lambda::Function', 'FunctionName', 'ads-dev-ssp-ad');
  expect(Properties.Environment.Variables.BASE_URL).toBe('https://cdn.example.com');
});
