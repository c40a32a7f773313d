import { CfnOutput, Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { Settings } from './settings.ts';

/** Where alarms are told. A person on call subscribes; the setting `alarmEmail` subscribes one address. */
export function createTopic(scope: Construct, { prefix, alarmEmail }: Settings): Topic {
  const topic = new Topic(scope, 'alarms', { topicName: `${prefix}alarms`, enforceSSL: true });
  // A topic with a policy of its own, such as TLS only, loses the default one, which would let alarms in.
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
    }),
  );
  if (alarmEmail) topic.addSubscription(new EmailSubscription(alarmEmail));
  new CfnOutput(scope, 'alarmTopic', { value: topic.topicArn, description: 'Where alarms are told: subscribe to it' });
  return topic;
}
