import { PolicyDocument } from 'aws-cdk-lib/aws-iam';
import { endpointRow } from '../../shared/http/operations/endpoints.ts';
import { type TableName, tableNames } from '../../shared/platform/tables.ts';
import { getKeys, toRecord } from '../../shared/platform/values/typed.ts';
import { tableStatements } from '../grants.ts';
import { operations } from './operations.ts';

/** Output of `npm run build:edge`. Not in the Worker's folder, whose whole content is deployed. */
export const EDGE_POLICY_FILE = `${import.meta.dirname}/../../.build/edge-policy.json`;

/** The policy of the Worker's IAM user: the table grants of its operations, in any account. */
export function createEdgePolicy(region: string, prefix: string): object {
  const rows = getKeys(operations).map(endpointRow);
  const verbsOn = (table: TableName) => [...new Set(rows.flatMap(({ tables }) => tables[table] ?? []))];
  const arnOf = (table: TableName) => ({ tableArn: `arn:aws:dynamodb:${region}:*:table/${prefix}${table}` });
  const statements = tableStatements(toRecord(tableNames, verbsOn), toRecord(tableNames, arnOf));
  return new PolicyDocument({ statements: statements.filter(({ actions }) => actions.length > 0) }).toJSON();
}
