import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Code } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { endpointNames, endpointRow, workerNames, workerRow } from '../shared/endpoints.ts';
import { addRoutes, createApi } from './api.ts';
import type { FunctionName } from './bundle.ts';
import { createFunction } from './functions.ts';
import { queueStatements, streamStatements, tableStatements } from './grants.ts';
import { createQueues } from './queues.ts';
import type { Settings } from './settings.ts';
import { feedFromStream } from './streams.ts';
import { createTables } from './tables.ts';

export interface AdsStackProps extends StackProps {
  settings: Settings;
  /** The code of a function; tests hand in a line of text. */
  codeOf(name: FunctionName): Code;
}

/** The whole service in one region: a loop over each of the tables that the rest of the project reads too. */
export class AdsStack extends Stack {
  constructor(scope: Construct, id: string, { settings, codeOf, ...props }: AdsStackProps) {
    super(scope, id, props);
    const tables = createTables(this, settings);
    const queues = createQueues(this, settings);
    const { api, baseUrl } = createApi(this, settings);
    const environment = { ...settings.environment, TABLE_PREFIX: settings.prefix, BASE_URL: baseUrl };

    for (const name of endpointNames) {
      const { summary, tables: grants } = endpointRow(name);
      const statements = tableStatements(grants, tables);
      addRoutes(
        this,
        api,
        name,
        createFunction(this, name, { code: codeOf(name), summary, statements, environment }, settings),
      );
    }

    for (const name of workerNames) {
      const { summary, tables: grants, queues: sendsTo, stream } = workerRow(name);
      const statements = [
        ...tableStatements(grants, tables),
        ...queueStatements(sendsTo, queues),
        ...streamStatements(stream, tables),
      ];
      feedFromStream(
        this,
        name,
        createFunction(this, name, { code: codeOf(name), summary, statements, environment }, settings),
        tables,
      );
    }

    new CfnOutput(this, 'address', { value: baseUrl, description: 'Where the service answers' });
  }
}
