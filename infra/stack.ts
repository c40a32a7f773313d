import { Annotations, CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Alias, Code, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { endpointNames, endpointRow } from '../shared/http/operations/endpoints.ts';
import { workerNames, workerRow } from '../shared/http/operations/workers.ts';
import { createAlarms, createTopic } from './alarms.ts';
import { addRoutes, createApi } from './api.ts';
import type { FunctionName } from './bundle.ts';
import { createDashboard } from './dashboard.ts';
import { createFunction } from './functions.ts';
import { acknowledgeJudge, judgeStatements, queueStatements, tableStatements } from './grants.ts';
import { getReservedConcurrency, hotNames } from './hot.ts';
import { createFunctionLogGroup } from './log-group.ts';
import { protectTables } from './protection.ts';
import { createQueues } from './queues.ts';
import {
  countBeforeReports,
  createLiveAlias,
  type Rollout,
  rollOutGradually,
  writeSnapshotBeforeTraffic,
} from './rollout.ts';
import type { Settings } from './settings.ts';
import { addSite } from './site/routes.ts';
import { connectSources, sourceEnvironment, sourceStatements } from './sources.ts';
import { createTables } from './tables.ts';

interface AdsStackProps extends StackProps {
  settings: Settings;
  /** Returns the code of a function; tests pass inline code. */
  getCode(name: FunctionName | 'site'): Code;
}

/** The whole service in one region, created from the tables of operations, workers, tables, and queues. */
export class AdsStack extends Stack {
  constructor(scope: Construct, id: string, { settings, getCode, ...props }: AdsStackProps) {
    super(scope, id, props);
    warnAboutOverrides(this, settings);
    const tables = createTables(this, settings);
    const queues = createQueues(this, settings);
    const api = createApi(this, settings);
    const environment = { ...settings.environment, TABLE_PREFIX: settings.prefix, BASE_URL: api.baseUrl };
    const functions = {} as Record<FunctionName, LambdaFunction>;
    const live = new Map<FunctionName, Alias>();

    for (const name of endpointNames) {
      const { summary, tables: grants, judge, ...sizing } = endpointRow(name);
      const statements = [...tableStatements(grants, tables), ...judgeStatements(judge, tables, settings)];
      const concurrency = getReservedConcurrency(name, settings);
      const parts = { code: getCode(name), summary, statements, environment, sizing, concurrency };
      const target = createFunction(this, name, parts, settings);
      functions[name] = target;
      acknowledgeJudge(target.role!, judge, settings);
      if (hotNames.includes(name)) live.set(name, createLiveAlias(target));
      addRoutes(this, api, name, live.get(name) ?? target);
    }

    for (const name of workerNames) {
      const { summary, tables: grants, queues: sendsTo, sources, judge, ...sizing } = workerRow(name);
      const statements = [
        ...tableStatements(grants, tables),
        ...judgeStatements(judge, tables, settings),
        ...queueStatements(sendsTo, queues),
        ...sources.flatMap((source) => sourceStatements(source, tables, queues)),
      ];
      const ofSources = sources.map((source) => sourceEnvironment(source, settings));
      const whole = Object.assign({}, environment, ...ofSources);
      const parts = { code: getCode(name), summary, statements, environment: whole, sizing };
      functions[name] = createFunction(this, name, parts, settings);
      acknowledgeJudge(functions[name].role!, judge, settings);
      connectSources(this, name, functions[name], tables, queues, settings);
    }

    countBeforeReports(this);
    writeSnapshotBeforeTraffic(this, functions['schedules/write-snapshot'], [live.get('ssp/bid')!]);

    if (settings.site) addSite(this, api, getCode('site'), functions.unmatched, settings);
    // Keep the site's log group without the site: enabling the site again would fail if an orphaned group had its name.
    else if (settings.keepsData) createFunctionLogGroup(this, 'site', settings);

    const protection = settings.keepsData ? protectTables(this, tables, settings) : undefined;

    if (settings.hasAlarms) {
      const watched = { api: api.api, functions, queues, protection };
      const alarms = createAlarms(this, watched, createTopic(this, settings), settings);
      createDashboard(this, watched, settings);
      const rollouts = [...live].map(([name, alias]): [string, Rollout] => {
        const id = name.replaceAll('/', '-');
        return [id, { alias, alarms: [alarms.get(`${id}-errors`)!, alarms.get(`${id}-slow`)!] }];
      });
      if (settings.rollout === 'gradual') rollOutGradually(this, new Map(rollouts));
    }

    new CfnOutput(this, 'address', { value: api.baseUrl, description: 'Base URL of the service' });
  }
}

/** The next deployment reverts settings that only -c sets, so warn the operator now. */
function warnAboutOverrides(stack: Stack, { stage, overrides }: Settings): void {
  if (overrides.length === 0) return;
  Annotations.of(stack).addWarningV2(
    'conversation-ads:overrides',
    `${overrides.join(', ')}: set by -c for this deployment only; the next deployment without -c reverts to infra/stages/${stage}.json`,
  );
}
