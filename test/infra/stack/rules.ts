import { expect, test } from 'vitest';
import { CHOICES, synthesizedOf } from './template.ts';

test.each(Object.values(CHOICES))(
  'the AWS Solutions rules find only acknowledged violations in %j, each with a reason',
  (choices) => {
    const { violations, suppressedViolations: excepted } = synthesizedOf(choices);
    expect(violations).toEqual([]);
    for (const { reason } of excepted) expect(reason!.length).toBeGreaterThan(40);
  },
);

test('only these rules have exceptions', () => {
  const { suppressedViolations: excepted } = synthesizedOf(CHOICES.iam);
  expect([...new Set(excepted.map(({ ruleName }) => ruleName.replace(/\[.*/, '')))].sort()).toEqual([
    'AwsSolutions-APIG4',
    'AwsSolutions-IAM4',
    'AwsSolutions-IAM5',
    'AwsSolutions-SF1',
    'AwsSolutions-SF2',
    'AwsSolutions-SQS3',
  ]);
});
