import { Annotations, Duration, Validations } from 'aws-cdk-lib';
import type { IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Alias, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Trigger } from 'aws-cdk-lib/triggers';
import type { Construct } from 'constructs';

/** The alias that callers reach: it names a version, so that the one before can be gone back to. */
export const createLiveAlias = (target: LambdaFunction): Alias =>
  new Alias(target, 'live', { aliasName: 'live', version: target.currentVersion });

/**
 * Has the new version's snapshot written before any call reaches the code that reads it: its format may be another, and instances that
 * find none read every campaign.
 */
export function writeSnapshotBeforeTraffic(scope: Construct, writer: LambdaFunction, readers: Construct[]): void {
  const timeout = Duration.minutes(5);
  new Trigger(scope, 'first-snapshot', { handler: writer, executeBefore: readers, timeout });
  // The trigger calls a version and may call that one; the warning is about callers of the function that name a version.
  Annotations.of(writer).acknowledgeWarning('@aws-cdk/aws-lambda:addPermissionsToVersionOrAlias');
}

export interface Rollout {
  alias: Alias;
  /** Each of them stops a rollout. */
  alarms: IAlarm[];
}

/**
 * New versions get a tenth of the traffic for fifteen minutes, time enough for any of their alarms, then all of it; an alarm
 * brings the old version back.
 */
export function rollOutGradually(scope: Construct, rollouts: ReadonlyMap<string, Rollout>): void {
  const application = new LambdaApplication(scope, 'rollouts');
  const role = new Role(scope, 'rollouts-role', {
    description: 'Moves traffic between the versions of hot functions',
    assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
  });
  Validations.of(role).acknowledge({
    id: 'AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]',
    reason:
      'The policy that AWS keeps for this one purpose: it follows what CodeDeploy needs, and only CodeDeploy assumes it.',
  });
  for (const [name, { alias, alarms }] of rollouts) {
    new LambdaDeploymentGroup(scope, `${name}-rollout`, {
      application,
      role,
      alias,
      alarms,
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_15MINUTES,
    });
  }
}
