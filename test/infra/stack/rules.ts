import { expect, test } from 'vitest';
import { CHOICES, synthesizedOf } from './template.ts';

test.each(Object.values(CHOICES))(
  'the AWS Solutions rules find nothing in %j but what is excepted with a reason',
  (choices) => {
    const { violations, suppressedViolations: excepted } = synthesizedOf(choices);
    expect(violations).toEqual([]);
    for (const { reason } of excepted) expect(reason!.length).toBeGreaterThan(40);
  },
);

test('every exception is one of those that were weighed', () => {
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
