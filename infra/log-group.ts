import { RemovalPolicy } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Settings } from './settings.ts';

/** A log group. In production it outlives the stack and the function that wrote it, as long as its lines are kept. */
export const createLogGroup = (
  scope: Construct,
  id: string,
  logGroupName: string,
  { keepsData, logDays }: Settings,
): LogGroup =>
  new LogGroup(scope, id, {
    logGroupName,
    retention: logDays,
    // Deleted only when the very deployment that made it fails: an empty group that is left behind would block the next.
    removalPolicy: keepsData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
  });

/** The log group of a function. */
export const createFunctionLogGroup = (scope: Construct, name: string, settings: Settings): LogGroup =>
  createLogGroup(scope, `${name.replaceAll('/', '-')}-log`, `/ads/${settings.stage}/${name}`, settings);
