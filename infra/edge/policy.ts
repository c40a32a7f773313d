import { PolicyDocument } from 'aws-cdk-lib/aws-iam';
import { endpointRow } from '../../shared/http/operations/endpoints.ts';
import { type TableName, tableNames } from '../../shared/platform/tables.ts';
import { keysOf, recordOf } from '../../shared/platform/values/typed.ts';
import { tableStatements } from '../grants.ts';
import { operations } from './operations.ts';

/** Where `npm run build:edge` writes it. Not in the Worker's folder, which is deployed whole. */
export const EDGE_POLICY_FILE = `${import.meta.dirname}/../../.build/edge-policy.json`;

/** What the IAM user of the Worker may do: what the rows of its operations grant, on tables of its own account, whatever that is. */
export function createEdgePolicy(region: string, prefix: string): object {
  const rows = keysOf(operations).map(endpointRow);
  const verbsOn = (table: TableName) => [...new Set(rows.flatMap(({ tables }) => tables[table] ?? []))];
  const arnOf = (table: TableName) => ({ tableArn: `arn:aws:dynamodb:${region}:*:table/${prefix}${table}` });
  const statements = tableStatements(recordOf(tableNames, verbsOn), recordOf(tableNames, arnOf));
  return new PolicyDocument({ statements: statements.filter(({ actions }) => actions.length > 0) }).toJSON();
}
