import { describe, expect, test } from 'vitest';
import { functionNames } from '../../../infra/bundle.ts';
import { endpointNames, endpointRow } from '../../../shared/operations/endpoints.ts';
import type { Endpoint, WorkerRow } from '../../../shared/operations/rows.ts';
import { workerNames, workerRow } from '../../../shared/operations/workers.ts';
import { type TableName, tableNames, tableShape } from '../../../shared/platform/tables.ts';
import { CHOICES, type Choices, find, regionsOf, templateOf } from './template.ts';

const template = templateOf(CHOICES.dev);
const rows: Record<string, Endpoint | WorkerRow> = Object.fromEntries([
  ...endpointNames.map((name) => [name, endpointRow(name)]),
  ...workerNames.map((name) => [name, workerRow(name)]),
]);

const tableOf = new Map(
  tableNames.map((name) => [find(template, 'AWS::DynamoDB::GlobalTable', 'TableName', `ads-dev-${name}`).id, name]),
);
const queueOf = (id: string) => template.toJSON().Resources[id].Properties.QueueName?.slice('ads-dev-'.length);

/** An ARN of a policy in words: `bids`, `campaigns/index/byChange`, `bids stream`, `parked`, `log`. */
// biome-ignore lint/suspicious/noExplicitAny: the functions of CloudFormation come in many shapes.
function wordsFor(arn: any): string {
  const [id, attribute] = arn['Fn::GetAtt'] ?? arn['Fn::Join'][1][0]['Fn::GetAtt'];
  const rest = arn['Fn::Join']?.[1][1] ?? '';
  const name = tableOf.get(id) ?? queueOf(id) ?? 'log';
  return `${name}${attribute === 'StreamArn' ? ' stream' : ''}${rest}`;
}

/** Everything that the role of a function may do, as `action on what`. */
function allowed(name: string): string[] {
  const id = `ads-dev-${name.replaceAll('/', '-')}`;
  const role = find(template, 'AWS::Lambda::Function', 'FunctionName', id).Properties.Role['Fn::GetAtt'][0];
  const { Policies, ManagedPolicyArns } = template.toJSON().Resources[role].Properties;
  expect(ManagedPolicyArns).toBeUndefined();
  expect(Policies).toHaveLength(1);
  return Policies[0].PolicyDocument.Statement.flatMap(
    ({ Effect, Action, Resource }: { Effect: string; Action: string | string[]; Resource: unknown }) => {
      expect(Effect).toBe('Allow');
      return [Action].flat().flatMap((action) => [Resource].flat().map((arn) => `${action} on ${wordsFor(arn)}`));
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

function asked(row: Endpoint | WorkerRow): string[] {
  const list = ['logs:CreateLogStream on log', 'logs:PutLogEvents on log'];
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

test.each(functionNames)('%s may do exactly what its row says', (name) => {
  expect(allowed(name)).toEqual(asked(rows[name]!));
});

test('no two functions share a role, and no policy stands outside a role', () => {
  const ofDeployment = 1; // calls the writer of the snapshot
  template.resourceCountIs('AWS::IAM::Role', functionNames.length + ofDeployment);
  template.resourceCountIs('AWS::IAM::Policy', 0);
});

describe('A second opinion', () => {
  const NOVA = CHOICES.profile.JUDGE_MODEL;
  const isInvoke = (action: unknown) => action === 'bedrock:InvokeModel';
  /** An ARN as the template has it: texts and references. */
  const join = (first: string, ...rest: (string | object)[]) => ({
    'Fn::Join': ['', ['arn:', { Ref: 'AWS::Partition' }, `:${first}`, ...rest]],
  });

  const statementsOf = (choices: Choices, name: string): Record<string, unknown>[] => {
    const judged = templateOf(choices);
    const { Properties } = find(judged, 'AWS::Lambda::Function', 'FunctionName', `ads-dev-${name}`);
    const role = judged.toJSON().Resources[Properties.Role['Fn::GetAtt'][0]];
    return role.Properties.Policies[0].PolicyDocument.Statement;
  };
  const beyond = (choices: Choices, name: string) => {
    const usual = new Set(statementsOf(CHOICES.dev, name).map((statement) => JSON.stringify(statement)));
    return statementsOf(choices, name).filter((statement) => !usual.has(JSON.stringify(statement)));
  };

  test.each(['ssp-bid', 'legacy-request'])('by Bedrock lets %s invoke this one model in its region', (name) => {
    const [invoke, ...more] = beyond(CHOICES.bedrock, name);
    expect(invoke).toMatchObject({ Action: 'bedrock:InvokeModel' });
    expect(JSON.stringify(invoke!.Resource)).toContain('::foundation-model/amazon.nova-micro-v1:0');
    expect(more).toEqual([]);
  });

  test.each(['ssp-bid', 'legacy-request', 'events-suggest-phrases'])(
    'by an inference profile lets %s invoke the profile, and through it its model in its regions',
    (name) => {
      const [profile, models, ...more] = beyond(CHOICES.profile, name).filter(({ Action }) => isInvoke(Action));
      const arn = join(
        'bedrock:',
        { Ref: 'AWS::Region' },
        ':',
        { Ref: 'AWS::AccountId' },
        `:inference-profile/${NOVA}`,
      );
      expect(profile!.Resource).toEqual(arn);
      expect(models!.Resource).toEqual([
        join('bedrock:', { Ref: 'AWS::Region' }, '::foundation-model/amazon.nova-micro-v1:0'),
        join('bedrock:us-*::foundation-model/amazon.nova-micro-v1:0'),
      ]);
      expect(models!.Condition).toEqual({ StringEquals: { 'bedrock:InferenceProfileArn': arn } });
      expect(more).toEqual([]);
    },
  );

  test('by a global profile reaches its model anywhere, and through this profile alone', () => {
    const { template: judged } = regionsOf(CHOICES.regions)[0]!;
    const policy = JSON.stringify(judged.findResources('AWS::IAM::Role'));
    expect(policy).toContain(':inference-profile/global.amazon.nova-2-lite-v1:0');
    expect(policy).toContain(':bedrock:*::foundation-model/amazon.nova-2-lite-v1:0');
    expect(policy.match(/foundation-model/g)).toHaveLength(2 * policy.match(/bedrock:InferenceProfileArn/g)!.length);
  });

  test('by a profile of the account’s own reaches whatever model that one has behind it', () => {
    const [profile, models, ...more] = beyond(CHOICES.ownProfile, 'ssp-bid').filter(({ Action }) => isInvoke(Action));
    const arn = CHOICES.ownProfile.JUDGE_MODEL;
    expect(profile!.Resource).toBe(arn);
    expect(models).toMatchObject({
      Resource: [
        join('bedrock:', { Ref: 'AWS::Region' }, '::foundation-model/*'),
        join('bedrock:*::foundation-model/*'),
      ],
      Condition: { StringEquals: { 'bedrock:InferenceProfileArn': arn } },
    });
    expect(more).toEqual([]);
  });

  test('by another endpoint lets them read the secret with its key', () => {
    const [secret, ...more] = beyond(CHOICES.openai, 'ssp-bid');
    expect(secret).toMatchObject({ Action: 'secretsmanager:GetSecretValue' });
    expect(JSON.stringify(secret!.Resource)).toContain(':secret:ads/judge-??????');
    expect(more).toEqual([]);
  });

  test('by Bedrock lets whoever suggests phrases invoke its model', () => {
    const [invoke, ...more] = beyond(CHOICES.bedrock, 'events-suggest-phrases');
    expect(invoke).toMatchObject({ Action: 'bedrock:InvokeModel' });
    expect(more).toEqual([]);
  });

  test('gives nothing to whoever does not ask for it', () => {
    expect(beyond(CHOICES.bedrock, 'click-redirect')).toEqual([]);
    expect(beyond(CHOICES.openai, 'campaigns-create')).toEqual([]);
  });
});
