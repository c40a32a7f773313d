import { Aws } from 'aws-cdk-lib';
import { type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Grants, Verb } from '../shared/http/operations/rows.ts';
import type { QueueName } from '../shared/platform/queues.ts';
import { type TableName, tableShape } from '../shared/platform/tables.ts';
import { getKeys } from '../shared/platform/values/typed.ts';
import { acknowledgeInvokeWildcards, invokeModelStatements } from './bedrock.ts';
import type { Queues } from './queues.ts';
import type { Settings } from './settings.ts';
import type { Tables } from './tables.ts';

/** The action of each verb. Writes in a transaction need the same actions as single writes. */
const ACTIONS: Readonly<Record<Verb, string>> = {
  get: 'dynamodb:GetItem',
  getAll: 'dynamodb:BatchGetItem',
  query: 'dynamodb:Query',
  put: 'dynamodb:PutItem',
  update: 'dynamodb:UpdateItem',
  remove: 'dynamodb:DeleteItem',
  check: 'dynamodb:ConditionCheckItem',
};

/** Statements for the table grants of a row. Indexes are granted only for queries. */
export const tableStatements = (grants: Grants, tables: Record<TableName, { tableArn: string }>): PolicyStatement[] =>
  getKeys(grants).flatMap((name) => {
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

/** Statements for second opinions: the model, the secret with its key, and the tables of the row. Empty if JUDGE is off. */
export function judgeStatements(grants: Grants | undefined, tables: Tables, { judge }: Settings): PolicyStatement[] {
  if (!grants || !judge) return [];
  const { protocol, model, keySecret } = judge;
  const statements = tableStatements(grants, tables);
  if (protocol === 'bedrock') statements.push(...invokeModelStatements(model));
  if (keySecret) statements.push(readSecretStatement(keySecret));
  return statements;
}

/** Acknowledges the wildcards in the role of a function that calls the judge. */
export function acknowledgeJudge(role: IRole, grants: Grants | undefined, { judge }: Settings): void {
  if (grants && judge?.protocol === 'bedrock') acknowledgeInvokeWildcards(role, judge.model);
}

/** Secrets Manager appends a dash and six characters to the name of a secret in its ARN. */
const readSecretStatement = (secret: string) =>
  new PolicyStatement({
    actions: ['secretsmanager:GetSecretValue'],
    resources: secret.startsWith('arn:')
      ? [secret]
      : [`arn:${Aws.PARTITION}:secretsmanager:${Aws.REGION}:${Aws.ACCOUNT_ID}:secret:${secret}-??????`],
  });

/** Statements to send to queues. GetQueueUrl is needed because functions find queues by name. */
export const queueStatements = (names: readonly QueueName[], queues: Queues): PolicyStatement[] =>
  names.map((name) => sendTo(queues[name]));

const sendTo = ({ queueArn }: Queue) =>
  new PolicyStatement({ actions: ['sqs:GetQueueUrl', 'sqs:SendMessage'], resources: [queueArn] });

/** Lets Lambda poll a queue with the function's role, and the function delay a message. */
export const receiveStatement = ({ queueArn }: Queue): PolicyStatement =>
  new PolicyStatement({
    actions: ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes', 'GetQueueUrl', 'ChangeMessageVisibility'].map(
      (action) => `sqs:${action}`,
    ),
    resources: [queueArn],
  });

/** Lets Lambda read a table's stream with the function's role. ListStreams cannot be limited to one stream. */
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
