import { Annotations, Duration, Validations } from 'aws-cdk-lib';
import type { IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Alias, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Trigger } from 'aws-cdk-lib/triggers';
import type { Construct } from 'constructs';

/** The alias that callers invoke. It points to a version, so a rollback is possible. */
export const createLiveAlias = (target: LambdaFunction): Alias =>
  new Alias(target, 'live', { aliasName: 'live', version: target.currentVersion });

/**
 * Writes a snapshot with the new version before it gets traffic. The format may have changed, and an instance without a readable
 * snapshot reads every campaign.
 */
export function writeSnapshotBeforeTraffic(scope: Construct, writer: LambdaFunction, readers: Construct[]): void {
  const timeout = Duration.minutes(5);
  new Trigger(scope, 'first-snapshot', { handler: writer, executeBefore: readers, timeout });
  // The warning does not apply: it is about permissions on the function, but the trigger's permission is on the version.
  Annotations.of(writer).acknowledgeWarning('@aws-cdk/aws-lambda:addPermissionsToVersionOrAlias');
}

/** Opens the routes for reports of readers once the stream's filter lets these through. An earlier report would be stored, but never counted. */
export function countBeforeReports(scope: Construct): void {
  const counting = scope.node.findChild('events-count-bids-source');
  for (const name of ['feedback', 'viewable'])
    scope.node.findChild(`${name}-record-POST-route`).node.addDependency(counting);
}

export interface Rollout {
  alias: Alias;
  /** Each can stop the rollout. */
  alarms: IAlarm[];
}

/**
 * A new version gets 10% of the traffic for fifteen minutes, long enough for its alarms to fire, then all of it. An alarm rolls it back.
 */
export function rollOutGradually(scope: Construct, rollouts: ReadonlyMap<string, Rollout>): void {
  const application = new LambdaApplication(scope, 'rollouts');
  const role = new Role(scope, 'rollouts-role', {
    description: 'Shifts traffic between versions of the hot functions',
    assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
  });
  Validations.of(role).acknowledge({
    id: 'AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]',
    reason: 'The AWS managed policy for exactly this purpose; only CodeDeploy assumes the role.',
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
