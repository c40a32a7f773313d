import { expect, test } from 'vitest';
import { functionNames } from '../../../infra/bundle.ts';
import { endpointNames, endpointRow, endpoints } from '../../../shared/operations/endpoints.ts';
import { workerNames, workerRow, workers } from '../../../shared/operations/workers.ts';
import { CHOICES, find, resourcesOf, templateOf } from './template.ts';

const template = templateOf(CHOICES.dev);
const functionOf = (name: string) =>
  find(template, 'AWS::Lambda::Function', 'FunctionName', `ads-dev-${name.replaceAll('/', '-')}`);

test('every row of the table of operations has its function, and nothing else has one', () => {
  expect(functionNames.map((name) => functionOf(name).Properties.Description)).toEqual([
    ...endpointNames.map((name) => endpointRow(name).summary),
    ...workerNames.map((name) => workerRow(name).summary),
  ]);
  const ofDeployment = 1; // calls the writer of the snapshot
  template.resourceCountIs('AWS::Lambda::Function', functionNames.length + ofDeployment);
});

test.each(functionNames)('%s runs on Node 24 on arm64, with the memory and the time of its row', (name) => {
  const { Architectures, Runtime, MemorySize, Timeout, Handler } = functionOf(name).Properties;
  const { memoryMb, timeoutSeconds } = { ...endpoints, ...workers }[name];
  expect({ Architectures, Runtime, Handler }).toEqual({
    Architectures: ['arm64'],
    Runtime: 'nodejs24.x',
    Handler: 'index.handler',
  });
  expect({ MemorySize, Timeout }).toEqual({ MemorySize: memoryMb, Timeout: timeoutSeconds });
  expect(memoryMb).toBeGreaterThanOrEqual(256);
  expect(timeoutSeconds).toBeGreaterThanOrEqual(15);
});

test.each(functionNames)(
  '%s is told the prefix of its tables and the address of the service, and to read source maps',
  (name) => {
    const { id } = find(template, 'AWS::ApiGatewayV2::Api', 'Name', 'ads-dev-api');
    expect(functionOf(name).Properties.Environment.Variables).toEqual({
      NODE_OPTIONS: '--enable-source-maps',
      MANAGEMENT_AUTH: 'header',
      TABLE_PREFIX: 'ads-dev-',
      BASE_URL: { 'Fn::GetAtt': [id, 'ApiEndpoint'] },
      ...(name === 'events/deliver' && { WEBHOOK_CONCURRENCY_PER_OWNER: '62' }),
    });
  },
);

test('every function writes to a log group of its own that forgets', () => {
  const groups = functionNames.map((name) => functionOf(name).Properties.LoggingConfig.LogGroup.Ref);
  expect(new Set(groups).size).toBe(functionNames.length);
  for (const { Properties } of resourcesOf(template, 'AWS::Logs::LogGroup')) {
    expect(Properties.RetentionInDays).toBeGreaterThan(0);
  }
});
