import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { expect, test } from 'vitest';
import { appOf, stackOf } from './template.ts';

interface Finding {
  ruleName: string;
  reason?: string;
}

interface Found {
  violations: Finding[];
  excepted: Finding[];
}

const found = new Map<string, Found>();

/** What the AWS Solutions rules find, and what of it is excepted; looked for once. */
function check(context: Record<string, string>): Found {
  const choices = JSON.stringify(context);
  const known = found.get(choices) ?? look(context);
  found.set(choices, known);
  return known;
}

function look(context: Record<string, string>): Found {
  const app = appOf();
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  stackOf(context, app);
  app.synth();
  const { pluginReports } = JSON.parse(readFileSync(join(app.outdir, 'validation-report.json'), 'utf8'));
  const { violations, suppressedViolations } = pluginReports[0];
  return { violations, excepted: suppressedViolations };
}

test.each<Record<string, string>>([
  { stage: 'dev' },
  { stage: 'prod', managementAuth: 'iam' },
  {
    stage: 'prod',
    domain: 'ads.example.com',
    certificates: 'arn:aws:acm:eu-west-1:123456789012:certificate/abc',
    managementAuth: 'jwt',
    jwtIssuer: 'https://login.example.com/',
    jwtAudience: 'ads',
  },
  { stage: 'prod', managementAuth: 'iam', alarmEmail: 'on-call@example.com', site: 'true' },
])('the AWS Solutions rules find nothing in %j but what is excepted with a reason', (context) => {
  const { violations, excepted } = check(context);
  expect(violations).toEqual([]);
  for (const { reason } of excepted) expect(reason!.length).toBeGreaterThan(40);
});

test('every exception is one of those that were weighed', () => {
  const { excepted } = check({ stage: 'prod', managementAuth: 'iam' });
  expect([...new Set(excepted.map(({ ruleName }) => ruleName.replace(/\[.*/, '')))].sort()).toEqual([
    'AwsSolutions-APIG4',
    'AwsSolutions-IAM4',
    'AwsSolutions-IAM5',
    'AwsSolutions-SF1',
    'AwsSolutions-SF2',
    'AwsSolutions-SQS3',
  ]);
});
