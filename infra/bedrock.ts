import { Aws, Validations } from 'aws-cdk-lib';
import { type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam';

/** The models to which an inference profile may route a request. Both fields may contain wildcards. */
interface ProfileRoute {
  regions: string;
  model: string;
}

/** Regions that the profiles of a geography route to. */
const REGIONS: Readonly<Record<string, string>> = {
  us: 'us-*',
  'us-gov': 'us-gov-*',
  eu: 'eu-*',
  apac: 'ap-*',
  jp: 'ap-northeast-*',
  au: 'ap-southeast-*',
  ca: 'ca-*',
};

/** The id of a profile, such as us.amazon.nova-micro-v1:0: a geography, then the id of the model. */
const PROFILE = /^(?:.*:inference-profile\/)?([a-z]{2}|us-gov|apac|global)\.(.+)$/;
/** A profile that the account created. Its ARN does not name the model. */
const APPLICATION_PROFILE = /:application-inference-profile\//;

function findProfileRoute(model: string): ProfileRoute | undefined {
  if (APPLICATION_PROFILE.test(model)) return { regions: '*', model: '*' };
  const [, geography, behind] = PROFILE.exec(model) ?? [];
  // A global profile routes anywhere, and IAM evaluates such a request without a region.
  return geography && behind ? { regions: REGIONS[geography] ?? '*', model: behind } : undefined;
}

const foundationModel = (region: string, model: string): string =>
  `arn:${Aws.PARTITION}:bedrock:${region}::foundation-model/${model}`;

/**
 * Permissions to call a model by id or ARN with the Converse API. An inference profile needs two statements: one for the profile, and one
 * for its models in its regions, with a condition that permits them only through this profile.
 */
export function invokeModelStatements(model: string): PolicyStatement[] {
  const actions = ['bedrock:InvokeModel'];
  const routed = findProfileRoute(model);
  if (!routed)
    return [
      new PolicyStatement({
        actions,
        resources: [model.startsWith('arn:') ? model : foundationModel(Aws.REGION, model)],
      }),
    ];
  const profile = model.startsWith('arn:')
    ? model
    : `arn:${Aws.PARTITION}:bedrock:${Aws.REGION}:${Aws.ACCOUNT_ID}:inference-profile/${model}`;
  return [
    new PolicyStatement({ actions, resources: [profile] }),
    new PolicyStatement({
      actions,
      // The stack's region may be outside the geography: profiles of "us" are used from Canada too.
      resources: [Aws.REGION, routed.regions].map((region) => foundationModel(region, routed.model)),
      conditions: { StringEquals: { 'bedrock:InferenceProfileArn': profile } },
    }),
  ];
}

/** Acknowledges the wildcards of a role that may use a profile, with the reason. */
export function acknowledgeInvokeWildcards(role: IRole, model: string): void {
  const routed = findProfileRoute(model);
  if (!routed) return;
  for (const region of ['<AWS::Region>', routed.regions]) {
    const resource = `arn:<AWS::Partition>:bedrock:${region}::foundation-model/${routed.model}`;
    if (!resource.includes('*')) continue;
    Validations.of(role).acknowledge({
      id: `AwsSolutions::AwsSolutions-IAM5[Resource::${resource}]`,
      reason:
        'The profile chooses the region of the model, and a condition permits the model only through this profile.',
    });
  }
}
