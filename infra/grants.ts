import { Aws } from 'aws-cdk-lib';
import { type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Grants, Verb } from '../shared/http/operations/rows.ts';
import type { QueueName } from '../shared/platform/queues.ts';
import { type TableName, tableShape } from '../shared/platform/tables.ts';
import { keysOf } from '../shared/platform/values/typed.ts';
import { acknowledgeInvokeWildcards, invokeModelStatements } from './bedrock.ts';
import type { Queues } from './queues.ts';
import type { Settings } from './settings.ts';
import type { Tables } from './tables.ts';

/** The one action behind each verb of a row; parts of a transaction need the same as the single writes. */
const ACTIONS: Readonly<Record<Verb, string>> = {
  get: 'dynamodb:GetItem',
  getAll: 'dynamodb:BatchGetItem',
  query: 'dynamodb:Query',
  put: 'dynamodb:PutItem',
  update: 'dynamodb:UpdateItem',
  remove: 'dynamodb:DeleteItem',
  check: 'dynamodb:ConditionCheckItem',
};

/** What a row says of tables, as statements of its role: these actions on these tables, and indexes for queries alone. */
export const tableStatements = (grants: Grants, tables: Record<TableName, { tableArn: string }>): PolicyStatement[] =>
  keysOf(grants).flatMap((name) => {
    const verbs = grants[name] ?? [];
    const { tableArn } = tables[name];
    const onTable = new PolicyStatement({ actions: verbs.map((verb) => ACTIONS[verb]), resources: [tableArn] });
    const indexes = Object.keys(tableShape(name).indexes ?? {});
    if (!verbs.includes('query') || indexes.length === 0) return [onTable];
    const onIndexes = new PolicyStatement({
      actions: [ACTIONS.query],
      resources: indexes.map((index) => `${tableArn}/index/${index}`),
    });
    return [onTable, onIndexes];
  });

/** What asking for second opinions needs: its model, the secret with its key, and what of tables the row says. None where JUDGE is off. */
export function judgeStatements(grants: Grants | undefined, tables: Tables, { judge }: Settings): PolicyStatement[] {
  if (!grants || !judge) return [];
  const { protocol, model, keySecret } = judge;
  const statements = tableStatements(grants, tables);
  if (protocol === 'bedrock') statements.push(...invokeModelStatements(model));
  if (keySecret) statements.push(readSecretStatement(keySecret));
  return statements;
}

/** Says why the role of a function that asks for second opinions has wildcards, where it has some. */
export function acknowledgeJudge(role: IRole, grants: Grants | undefined, { judge }: Settings): void {
  if (grants && judge?.protocol === 'bedrock') acknowledgeInvokeWildcards(role, judge.model);
}

/** Secrets Manager adds a dash and six characters to the name of a secret in its ARN. */
const readSecretStatement = (secret: string) =>
  new PolicyStatement({
    actions: ['secretsmanager:GetSecretValue'],
    resources: secret.startsWith('arn:')
      ? [secret]
      : [`arn:${Aws.PARTITION}:secretsmanager:${Aws.REGION}:${Aws.ACCOUNT_ID}:secret:${secret}-??????`],
  });

/** Sending to queues, whose addresses are found by name. */
export const queueStatements = (names: readonly QueueName[], queues: Queues): PolicyStatement[] =>
  names.map((name) => sendTo(queues[name]));

const sendTo = ({ queueArn }: Queue) =>
  new PolicyStatement({ actions: ['sqs:GetQueueUrl', 'sqs:SendMessage'], resources: [queueArn] });

/** What Lambda needs to receive from a queue in the function's name, and the function to put a message off. */
export const receiveStatement = ({ queueArn }: Queue): PolicyStatement =>
  new PolicyStatement({
    actions: ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes', 'GetQueueUrl', 'ChangeMessageVisibility'].map(
      (action) => `sqs:${action}`,
    ),
    resources: [queueArn],
  });

/** What Lambda needs to read a table's stream in the function's name; ListStreams is asked of all of a table's streams. */
export const streamStatements = (table: TableName, tables: Tables): PolicyStatement[] => {
  const { tableStreamArn, tableArn } = tables[table];
  return [
    new PolicyStatement({
      actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
      resources: [tableStreamArn!],
    }),
    new PolicyStatement({ actions: ['dynamodb:ListStreams'], resources: [`${tableArn}/stream/*`] }),
  ];
};
