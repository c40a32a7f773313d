import { describe, expect, test } from 'vitest';
import { functionNames } from '../../../infra/bundle.ts';
import { endpointNames, endpointRow, endpoints } from '../../../shared/http/operations/endpoints.ts';
import { workerNames, workerRow, workers } from '../../../shared/http/operations/workers.ts';
import { CHOICES, find, functionOf, functionsOf, nameOf, resourcesOf, templateOf } from './template.ts';

describe.each([
  { stage: 'dev', managementAuth: 'header' },
  { stage: 'prod', managementAuth: 'iam' },
] as const)('In $stage', ({ stage, managementAuth }) => {
  const template = templateOf(CHOICES[stage]);

  test('every row of the tables has a function, and there are no others', () => {
    expect(functionNames.map((name) => functionOf(template, stage, name).Properties.Description)).toEqual([
      ...endpointNames.map((name) => endpointRow(name).summary),
      ...workerNames.map((name) => workerRow(name).summary),
    ]);
    expect(functionsOf(template)).toHaveLength(functionNames.length);
    const ofDeployment = 1; // calls the writer of the snapshot
    template.resourceCountIs('AWS::Lambda::Function', functionNames.length + ofDeployment);
  });

  // Compare all properties: an unexpected one, such as a layer or a VPC, costs money or changes behavior.
  test.each(functionNames)(
    '%s runs on Node 24 on arm64, with the memory and timeout of its row and its own log group',
    (name) => {
      const { Role, LoggingConfig, Description, ...properties } = functionOf(template, stage, name).Properties;
      const { memoryMb, timeoutSeconds } = { ...endpoints, ...workers }[name];
      const api = find(template, 'AWS::ApiGatewayV2::Api', 'Name', `ads-${stage}-api`).id;
      expect(properties).toEqual({
        FunctionName: `ads-${stage}-${name.replaceAll('/', '-')}`,
        Code: { ZipFile: `// ${name}` },
        Handler: 'index.handler',
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        MemorySize: memoryMb,
        Timeout: timeoutSeconds,
        Environment: {
          Variables: {
            NODE_OPTIONS: '--enable-source-maps',
            MANAGEMENT_AUTH: managementAuth,
            TABLE_PREFIX: `ads-${stage}-`,
            BASE_URL: { 'Fn::GetAtt': [api, 'ApiEndpoint'] },
            ...(name === 'events/deliver' && { WEBHOOK_CONCURRENCY_PER_OWNER: '62' }),
          },
        },
      });
      const { LogGroup, ...levels } = LoggingConfig;
      expect(nameOf(template, LogGroup)).toBe(`/ads/${stage}/${name}`);
      expect(levels).toEqual({ LogFormat: 'JSON', ApplicationLogLevel: 'DEBUG', SystemLogLevel: 'WARN' });
      expect(memoryMb).toBeGreaterThanOrEqual(256);
      expect(timeoutSeconds).toBeGreaterThanOrEqual(15);
    },
  );

  test('old versions are retained, so that an alias can roll back to them', () => {
    const versions = resourcesOf(template, 'AWS::Lambda::Version');
    expect(versions.length).toBeGreaterThan(0);
    for (const { DeletionPolicy, UpdateReplacePolicy } of versions)
      expect([DeletionPolicy, UpdateReplacePolicy]).toEqual(['Retain', 'Retain']);
  });
});
