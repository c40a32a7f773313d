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

/** What a function of any kind is made of. */
interface FunctionParts {
  code: Code;
  summary: string;
  /** What its role may do besides writing its log. */
  statements: PolicyStatement[];
  environment: Record<string, string>;
  /** Memory and time, from its row. */
  sizing: Sizing;
  /** Concurrent runs that are reserved for it, and the most that it gets. */
  concurrency?: number;
}

/** One function with a role and a log group of its own. */
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
    description: `What ${name} may do: write its log, and what its row of the table of operations says`,
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
    // Versions stay when a newer one comes: going back is moving an alias.
    currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN },
    // The lines around every invocation (START, END, REPORT) would cost more than the one that says what was done.
    loggingFormat: LoggingFormat.JSON,
    systemLogLevelV2: SystemLogLevel.WARN,
    // LOG_LEVEL decides, in the function.
    applicationLogLevelV2: ApplicationLogLevel.DEBUG,
  });
}
