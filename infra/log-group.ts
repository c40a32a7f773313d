import { RemovalPolicy } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Settings } from './settings.ts';

/** Creates a log group. If the stage keeps its data, the group outlives the stack and the function. */
export const createLogGroup = (
  scope: Construct,
  id: string,
  logGroupName: string,
  { keepsData, logDays }: Settings,
): LogGroup =>
  new LogGroup(scope, id, {
    logGroupName,
    retention: logDays,
    // Deleted only if the deployment that creates it fails: an empty group left behind would block the next deployment.
    removalPolicy: keepsData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
  });

/** Creates the log group of a function. */
export const createFunctionLogGroup = (scope: Construct, name: string, settings: Settings): LogGroup =>
  createLogGroup(scope, `${name.replaceAll('/', '-')}-log`, `/ads/${settings.stage}/${name}`, settings);
