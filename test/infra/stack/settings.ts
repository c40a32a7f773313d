import { expect, test } from 'vitest';
import { readSettings } from '../../../infra/settings.ts';
import { CHOICES, find, functionsOf, resourcesOf, templateOf } from './template.ts';

const certificateIn = (region: string) => `arn:aws:acm:${region}:123456789012:certificate/abc`;

test('without a choice, one dev stack goes wherever the CLI points', () => {
  expect(readSettings({})).toEqual([
    expect.objectContaining({ stage: 'dev', region: undefined, domain: undefined, prefix: 'ads-dev-' }),
  ]);
});

test('every region has its own domain and the certificate that stands in it', () => {
  const regions = readSettings({
    regions: 'eu-west-1,us-east-1',
    domain: '{region}.ads.example.com',
    certificates: `${certificateIn('us-east-1')},${certificateIn('eu-west-1')}`,
  });
  expect(regions.map(({ domain }) => domain)).toEqual([
    { name: 'eu-west-1.ads.example.com', certificate: certificateIn('eu-west-1') },
    { name: 'us-east-1.ads.example.com', certificate: certificateIn('us-east-1') },
  ]);
});

test.each([
  [{ stage: 'test' }, 'stage=test: must be dev or prod'],
  [{ regions: 'Ireland' }, 'regions=Ireland: must be regions with commas between, such as eu-west-1,us-east-1'],
  [
    { baseUrl: 'http://ads.example' },
    'baseUrl=http://ads.example: must be an https URL such as https://ads.example.com',
  ],
  [{ domain: 'ads.example' }, 'certificates=: must name a certificate in the region for the domain'],
  [
    { domain: 'ads.example', regions: 'eu-west-1', certificates: certificateIn('us-east-1') },
    `certificates=${certificateIn('us-east-1')}: must name a certificate in eu-west-1 for the domain`,
  ],
  [
    { domain: 'ads.example', regions: 'eu-west-1,us-east-1' },
    'domain=ads.example: must contain {region}, since every region keeps its own data',
  ],
  [{ rollout: 'fast' }, 'rollout=fast: must be gradual or now'],
  [{ deliveryConcurrency: '1' }, 'deliveryConcurrency=1: must be a whole number from 2 to 1000'],
  [{ deliveryConcurrency: '1001' }, 'deliveryConcurrency=1001: must be a whole number from 2 to 1000'],
  [{ hotConcurrency: 'many' }, 'hotConcurrency=many: must be a whole number from 0 to 10000'],
  [{ hotConcurrency: '1.5' }, 'hotConcurrency=1.5: must be a whole number from 0 to 10000'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL=loud: must be debug, info, warn, error or silent'],
])('%j is refused in words', (context, message) => {
  expect(() => readSettings(context)).toThrow(message);
});

test('settings of the service reach every function', () => {
  const template = templateOf(CHOICES.openai);
  for (const { Properties } of functionsOf(template)) {
    expect(Properties.Environment.Variables).toMatchObject({
      BID_TTL_SECONDS: '60',
      MAX_CAMPAIGNS_PER_USER: '500',
    });
  }
});

test.each([
  [CHOICES.prod, [200, 100, 100]],
  [CHOICES.now, [40, 20, 20]],
  [CHOICES.jwt, []],
  [CHOICES.dev, []],
  [CHOICES.bedrock, [1, 1, 1]],
])('%j keeps so many runs for bid, ad and click, and for nothing else', (choices, expected) => {
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

test.each([
  { stage: 'dev', kept: false, days: 7, policy: 'Delete' },
  { stage: 'prod', kept: true, days: 90, policy: 'RetainExceptOnCreate' },
] as const)('$stage keeps what it should', ({ stage, kept, days, policy }) => {
  const template = templateOf(CHOICES[stage]);
  for (const { Properties, DeletionPolicy } of resourcesOf(template, 'AWS::DynamoDB::GlobalTable')) {
    expect(DeletionPolicy).toBe(policy);
    expect(Properties.Replicas).toEqual([
      expect.objectContaining({
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: kept },
      }),
    ]);
  }
  for (const { Properties } of resourcesOf(template, 'AWS::Logs::LogGroup')) {
    expect(Properties.RetentionInDays).toBe(days);
  }
});

test('a domain is what ads point at, and the only way in', () => {
  const template = templateOf(CHOICES.jwt);
  template.hasResourceProperties('AWS::ApiGatewayV2::DomainName', { DomainName: 'ads.example.com' });
  template.hasResourceProperties('AWS::ApiGatewayV2::Api', { DisableExecuteApiEndpoint: true });
  const { Properties } = find(template, 'AWS::Lambda::Function', 'FunctionName', 'ads-prod-ssp-ad');
  expect(Properties.Environment.Variables.BASE_URL).toBe('https://ads.example.com');
});

test('a base URL of its own goes before the domain', () => {
  const template = templateOf(CHOICES.openai);
  const { Properties } = find(template, 'AWS::Lambda::Function', 'FunctionName', 'ads-dev-ssp-ad');
  expect(Properties.Environment.Variables.BASE_URL).toBe('https://cdn.example.com');
});
