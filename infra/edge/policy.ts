import { PolicyDocument } from 'aws-cdk-lib/aws-iam';
import { endpointRow } from '../../shared/operations/endpoints.ts';
import type { Verb } from '../../shared/operations/rows.ts';
import { type TableName, tableNames } from '../../shared/platform/tables.ts';
import { keysOf, recordOf } from '../../shared/values/typed.ts';
import { tableStatements } from '../grants.ts';
import { edgeNames } from './operations.ts';

/** What the operations of a Worker do to tables, all together. */
function edgeGrants(): Partial<Record<TableName, Verb[]>> {
  const granted = new Map<TableName, Set<Verb>>();
  for (const name of edgeNames) {
    const { tables } = endpointRow(name);
    for (const table of keysOf(tables)) {
      granted.set(table, new Set([...(granted.get(table) ?? []), ...(tables[table] ?? [])]));
    }
  }
  return Object.fromEntries([...granted].map(([table, verbs]) => [table, [...verbs]]));
}

/** What the IAM user of a Worker may do: what the rows of its operations say, and nothing else. @param tables ARN of their names' begin */
export function edgePolicy(tables: string): object {
  const named = recordOf(tableNames, (name) => ({ tableArn: `${tables}${name}` }));
  const statements = tableStatements(edgeGrants(), named);
  return new PolicyDocument({ statements }).toJSON();
}
