import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  ApplicationLogLevel,
  Architecture,
  type Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
} from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { Sizing } from '../shared/http/operations/rows.ts';
import type { FunctionName } from './bundle.ts';
import { runtimeEnvironment } from './lambda-environment.ts';
import { createFunctionLogGroup } from './log-group.ts';
import type { Settings } from './settings.ts';

/** Settings that vary between functions. */
interface FunctionParts {
  code: Code;
  summary: string;
  /** Permissions of the role, besides writing the log. */
  statements: PolicyStatement[];
  environment: Record<string, string>;
  /** Memory and timeout, from the function's row in the table. */
  sizing: Sizing;
  /** Reserved concurrency, which is also its maximum. */
  concurrency?: number;
}

/** Creates a function with its own role and log group. */
export function createFunction(
  scope: Construct,
  name: FunctionName | 'site',
  { code, summary, statements, environment, sizing, concurrency }: FunctionParts,
  settings: Settings,
): LambdaFunction {
  const id = name.replaceAll('/', '-');
  const logGroup = createFunctionLogGroup(scope, name, settings);
  const log = new PolicyStatement({
    actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    resources: [logGroup.logGroupArn],
  });
  const role = new Role(scope, `${id}-role`, {
    description: `Permissions of ${name}: its log, and the grants of its row in the operations table`,
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    inlinePolicies: { row: new PolicyDocument({ statements: [log, ...statements] }) },
  });
  return new LambdaFunction(scope, id, {
    functionName: `${settings.prefix}${id}`,
    description: summary,
    code,
    handler: 'index.handler',
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    memorySize: sizing.memoryMb,
    timeout: Duration.seconds(sizing.timeoutSeconds),
    environment: { ...runtimeEnvironment, ...environment },
    reservedConcurrentExecutions: concurrency,
    role,
    logGroup,
    // Keep old versions: a rollback only moves the alias.
    currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN },
    // Omit START, END, and REPORT: those lines would cost more than the function's own line.
    loggingFormat: LoggingFormat.JSON,
    systemLogLevelV2: SystemLogLevel.WARN,
    // The function filters by LOG_LEVEL itself.
    applicationLogLevelV2: ApplicationLogLevel.DEBUG,
  });
}
