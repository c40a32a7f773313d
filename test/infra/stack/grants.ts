import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { functionNames } from '../../../infra/bundle.ts';
import { endpointNames, endpointRow } from '../../../shared/http/operations/endpoints.ts';
import type { Endpoint, WorkerRow } from '../../../shared/http/operations/rows.ts';
import { workerNames, workerRow } from '../../../shared/http/operations/workers.ts';
import { type TableName, tableShape } from '../../../shared/platform/tables.ts';
import {
  CHOICES,
  type Choices,
  functionOf,
  functionsOf,
  nameOf,
  type Resource,
  regionsOf,
  resourcesOf,
  templateOf,
} from './template.ts';

const rows: Record<string, Endpoint | WorkerRow> = Object.fromEntries([
  ...endpointNames.map((name) => [name, endpointRow(name)]),
  ...workerNames.map((name) => [name, workerRow(name)]),
]);

/**
 * A readable ARN of a policy, such as `bids`, `campaigns/index/byChange`, or `bids stream`. It keeps whatever follows the name, so
 * wildcards are visible.
 */
// biome-ignore lint/suspicious/noExplicitAny: the functions of CloudFormation come in many shapes.
function describeArn(template: Template, stage: string, arn: any): string {
  const [reference, rest = ''] = arn['Fn::Join']?.[1] ?? [arn];
  const name = nameOf(template, reference).replace(`ads-${stage}-`, '');
  const attribute = reference['Fn::GetAtt'][1];
  expect(['Arn', 'StreamArn']).toContain(attribute);
  return `${name}${attribute === 'StreamArn' ? ' stream' : ''}${rest}`;
}

const getRole = (template: Template, stage: string, name: string) =>
  template.toJSON().Resources[functionOf(template, stage, name).Properties.Role['Fn::GetAtt'][0]].Properties;

/** All permissions of a function's role, as `action on resource`. */
function grantedPermissions(template: Template, stage: string, name: string): string[] {
  const { AssumeRolePolicyDocument, Policies, ManagedPolicyArns } = getRole(template, stage, name);
  expect(AssumeRolePolicyDocument.Statement).toEqual([
    { Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' } },
  ]);
  expect(ManagedPolicyArns).toBeUndefined();
  expect(Policies).toHaveLength(1);
  return Policies[0].PolicyDocument.Statement.flatMap(
    ({ Effect, Action, Resource, ...others }: Record<string, string | string[]>) => {
      expect(Effect).toBe('Allow');
      expect(others).toEqual({});
      return [Action]
        .flat()
        .flatMap((action) => [Resource].flat().map((arn) => `${action} on ${describeArn(template, stage, arn)}`));
    },
  ).sort();
}

const ACTION = {
  get: 'GetItem',
  getAll: 'BatchGetItem',
  query: 'Query',
  put: 'PutItem',
  update: 'UpdateItem',
  remove: 'DeleteItem',
  check: 'ConditionCheckItem',
};

/** The permissions that a row declares: verbs on its tables, queues, and sources, and its own log. */
function declaredPermissions(stage: string, name: string): string[] {
  const row = rows[name]!;
  const log = `/ads/${stage}/${name}`;
  const list = [`logs:CreateLogStream on ${log}`, `logs:PutLogEvents on ${log}`];
  for (const [table, verbs] of Object.entries(row.tables)) {
    for (const verb of verbs) {
      list.push(`dynamodb:${ACTION[verb]} on ${table}`);
      if (verb !== 'query') continue;
      for (const index of Object.keys(tableShape(table as TableName).indexes ?? {})) {
        list.push(`dynamodb:Query on ${table}/index/${index}`);
      }
    }
  }
  if ('sources' in row) {
    for (const source of row.sources) {
      if ('stream' in source) {
        for (const action of ['DescribeStream', 'GetRecords', 'GetShardIterator']) {
          list.push(`dynamodb:${action} on ${source.stream} stream`);
        }
        list.push(`dynamodb:ListStreams on ${source.stream}/stream/*`);
      }
      if ('queue' in source) {
        for (const action of [
          'ChangeMessageVisibility',
          'DeleteMessage',
          'GetQueueAttributes',
          'GetQueueUrl',
          'ReceiveMessage',
        ]) {
          list.push(`sqs:${action} on ${source.queue}`);
        }
      }
    }
    for (const queue of row.queues) list.push(`sqs:GetQueueUrl on ${queue}`, `sqs:SendMessage on ${queue}`);
  }
  return list.sort();
}

describe.each(['dev', 'prod'] as const)('In %s', (stage) => {
  const template = templateOf(CHOICES[stage]);

  test.each(functionNames)('%s has exactly the permissions of its row', (name) => {
    expect(grantedPermissions(template, stage, name)).toEqual(declaredPermissions(stage, name));
  });

  test('no two functions share a role', () => {
    const roles = functionsOf(template).map(({ Properties }) => Properties.Role['Fn::GetAtt'][0]);
    expect(new Set(roles).size).toBe(functionNames.length);
  });

  test('the only other roles are those of a deployment, a rollout, and the protection of tables', () => {
    const ofFunctions = functionsOf(template).map(({ Properties }) => Properties.Role['Fn::GetAtt'][0]);
    const others = resourcesOf(template, 'AWS::IAM::Role').filter(({ id }) => !ofFunctions.includes(id));
    const assumed = others.flatMap(({ Properties }) => Properties.AssumeRolePolicyDocument.Statement);
    const services = stage === 'prod' ? ['codedeploy', 'events', 'lambda', 'states'] : ['lambda'];
    const byService = (one: typeof assumed) =>
      one.toSorted((a, b) => a.Principal.Service.localeCompare(b.Principal.Service));
    expect(byService(assumed)).toEqual(
      services.map((service) => ({
        Effect: 'Allow',
        Action: 'sts:AssumeRole',
        Principal: { Service: `${service}.amazonaws.com` },
        // Step Functions may assume the role only for state machines of this account.
        Condition: service === 'states' ? { StringEquals: expect.anything(), ArnLike: expect.anything() } : undefined,
      })),
    );
    // protection.ts checks the contents of these policies.
    template.resourceCountIs('AWS::IAM::Policy', stage === 'prod' ? 2 : 0);
  });

  test('a deployment may invoke only the writer of the snapshot', () => {
    const [{ Properties }] = resourcesOf(template, 'AWS::Lambda::Function').filter(
      ({ Properties }) => !Properties.FunctionName,
    ) as [Resource];
    const { ManagedPolicyArns, Policies } = template.toJSON().Resources[Properties.Role['Fn::GetAtt'][0]].Properties;
    expect(ManagedPolicyArns).toEqual([
      { 'Fn::Sub': expect.stringMatching(/:iam::aws:policy\/service-role\/AWSLambdaBasicExecutionRole$/) },
    ]);
    const writer = functionOf(template, stage, 'schedules/write-snapshot').id;
    expect(Policies.map(({ PolicyDocument }: Resource) => PolicyDocument.Statement)).toEqual([
      [
        {
          Effect: 'Allow',
          Action: ['lambda:InvokeFunction'],
          Resource: [{ 'Fn::Join': ['', [{ 'Fn::GetAtt': [writer, 'Arn'] }, ':*']] }],
        },
      ],
    ]);
  });
});

describe('A second opinion', () => {
  const NOVA = CHOICES.profile.JUDGE_MODEL;
  /** An ARN as it appears in the template. */
  const join = (first: string, ...rest: (string | object)[]) => ({
    'Fn::Join': ['', ['arn:', { Ref: 'AWS::Partition' }, `:${first}`, ...rest]],
  });

  const statementsOf = (choices: Choices, name: string): Record<string, unknown>[] => {
    const { Policies } = getRole(templateOf(choices), 'dev', name);
    return Policies[0].PolicyDocument.Statement;
  };
  const beyond = (choices: Choices, name: string) => {
    const usual = new Set(statementsOf(CHOICES.dev, name).map((statement) => JSON.stringify(statement)));
    return statementsOf(choices, name).filter((statement) => !usual.has(JSON.stringify(statement)));
  };

  const judging = functionNames.filter((name) => rows[name]!.judge);

  test('is used by bids, legacy requests, and the worker that suggests phrases', () => {
    expect(judging).toEqual(['ssp/bid', 'legacy/request', 'events/suggest-phrases']);
  });

  test.each(judging)('from Bedrock lets %s invoke only this model in its region', (name) => {
    expect(beyond(CHOICES.bedrock, name)).toEqual([
      {
        Effect: 'Allow',
        Action: 'bedrock:InvokeModel',
        Resource: join('bedrock:', { Ref: 'AWS::Region' }, '::foundation-model/amazon.nova-micro-v1:0'),
      },
    ]);
  });

  test.each(judging)(
    'from an inference profile lets %s invoke the profile, and through it the model in its regions',
    (name) => {
      const arn = join(
        'bedrock:',
        { Ref: 'AWS::Region' },
        ':',
        { Ref: 'AWS::AccountId' },
        `:inference-profile/${NOVA}`,
      );
      expect(beyond(CHOICES.profile, name)).toEqual([
        { Effect: 'Allow', Action: 'bedrock:InvokeModel', Resource: arn },
        {
          Effect: 'Allow',
          Action: 'bedrock:InvokeModel',
          Resource: [
            join('bedrock:', { Ref: 'AWS::Region' }, '::foundation-model/amazon.nova-micro-v1:0'),
            join('bedrock:us-*::foundation-model/amazon.nova-micro-v1:0'),
          ],
          Condition: { StringEquals: { 'bedrock:InferenceProfileArn': arn } },
        },
      ]);
    },
  );

  test('from a global profile lets functions invoke the model in any region, but only through this profile', () => {
    const { template: judged } = regionsOf(CHOICES.regions)[0]!;
    const policy = JSON.stringify(judged.findResources('AWS::IAM::Role'));
    expect(policy).toContain(':inference-profile/global.amazon.nova-2-lite-v1:0');
    expect(policy).toContain(':bedrock:*::foundation-model/amazon.nova-2-lite-v1:0');
    expect(policy.match(/foundation-model/g)).toHaveLength(2 * policy.match(/bedrock:InferenceProfileArn/g)!.length);
  });

  test.each(judging)('from an application profile lets %s invoke any model, but only through this profile', (name) => {
    const arn = CHOICES.ownProfile.JUDGE_MODEL;
    expect(beyond(CHOICES.ownProfile, name)).toEqual([
      { Effect: 'Allow', Action: 'bedrock:InvokeModel', Resource: arn },
      {
        Effect: 'Allow',
        Action: 'bedrock:InvokeModel',
        Resource: [
          join('bedrock:', { Ref: 'AWS::Region' }, '::foundation-model/*'),
          join('bedrock:*::foundation-model/*'),
        ],
        Condition: { StringEquals: { 'bedrock:InferenceProfileArn': arn } },
      },
    ]);
  });

  test.each(judging)('from another endpoint lets %s read the secret with its API key', (name) => {
    expect(beyond(CHOICES.openai, name)).toEqual([
      {
        Effect: 'Allow',
        Action: 'secretsmanager:GetSecretValue',
        Resource: join(
          'secretsmanager:',
          { Ref: 'AWS::Region' },
          ':',
          { Ref: 'AWS::AccountId' },
          ':secret:ads/judge-??????',
        ),
      },
    ]);
  });

  test('grants nothing to functions whose rows do not declare it', () => {
    for (const name of functionNames.filter((one) => !judging.includes(one)))
      for (const choices of [CHOICES.bedrock, CHOICES.openai]) expect(beyond(choices, name)).toEqual([]);
  });
});
