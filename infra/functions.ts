import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, type Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { FunctionName } from './bundle.ts';
import type { Settings } from './settings.ts';

/** What a function of any kind is made of. */
export interface FunctionParts {
  code: Code;
  summary: string;
  /** What its role may do besides writing its log. */
  statements: PolicyStatement[];
  environment: Record<string, string>;
}

/**
 * One function with a role and a log group of its own. The timeout is generous, the handlers' own deadlines are short: a
 * function that times out answers with the gateway's error instead of ours.
 */
export function createFunction(scope: Construct, name: FunctionName, parts: FunctionParts, settings: Settings) {
  const id = name.replaceAll('/', '-');
  const logGroup = new LogGroup(scope, `${id}-log`, {
    logGroupName: `/ads/${settings.stage}/${name}`,
    retention: RetentionDays.ONE_MONTH,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const log = new PolicyStatement({
    actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    resources: [logGroup.logGroupArn],
  });
  const role = new Role(scope, `${id}-role`, {
    description: `What ${name} may do: write its log, and what its row of the table of operations says`,
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    inlinePolicies: { row: new PolicyDocument({ statements: [log, ...parts.statements] }) },
  });
  return new LambdaFunction(scope, id, {
    functionName: `${settings.prefix}${id}`,
    description: parts.summary,
    code: parts.code,
    handler: 'index.handler',
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    memorySize: 512,
    timeout: Duration.seconds(15),
    environment: parts.environment,
    role,
    logGroup,
  });
}
