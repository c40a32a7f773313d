import { Aws, Validations } from 'aws-cdk-lib';
import { type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam';

/** Models to which an inference profile may route a request: their regions and their id, each perhaps a pattern. */
interface ProfileRoute {
  regions: string;
  model: string;
}

/** Where the profiles of a geography route to. */
const REGIONS: Readonly<Record<string, string>> = {
  us: 'us-*',
  'us-gov': 'us-gov-*',
  eu: 'eu-*',
  apac: 'ap-*',
  jp: 'ap-northeast-*',
  au: 'ap-southeast-*',
  ca: 'ca-*',
};

/** The id of a profile, such as us.amazon.nova-micro-v1:0: a geography before the id of its model, which begins with a provider. */
const PROFILE = /^(?:.*:inference-profile\/)?([a-z]{2}|us-gov|apac|global)\.(.+)$/;
/** A profile of the account's own. Its ARN does not say which model is behind it. */
const APPLICATION_PROFILE = /:application-inference-profile\//;

function findProfileRoute(model: string): ProfileRoute | undefined {
  if (APPLICATION_PROFILE.test(model)) return { regions: '*', model: '*' };
  const [, geography, behind] = PROFILE.exec(model) ?? [];
  // A global profile routes anywhere, and IAM sees such a request in no region at all.
  return geography && behind ? { regions: REGIONS[geography] ?? '*', model: behind } : undefined;
}

const foundationModel = (region: string, model: string): string =>
  `arn:${Aws.PARTITION}:bedrock:${region}::foundation-model/${model}`;

/**
 * What the Converse API asks for to invoke a model by its id or ARN. An inference profile takes two: the profile, and the models behind
 * it in its regions, which can be invoked through this profile alone.
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
      // The stack's own region is mostly, but not always, one of the geography's: profiles of "us" are used from Canada too.
      resources: [Aws.REGION, routed.regions].map((region) => foundationModel(region, routed.model)),
      conditions: { StringEquals: { 'bedrock:InferenceProfileArn': profile } },
    }),
  ];
}

/** Says why a role that may use a profile has wildcards. */
export function acknowledgeInvokeWildcards(role: IRole, model: string): void {
  const routed = findProfileRoute(model);
  if (!routed) return;
  for (const region of ['<AWS::Region>', routed.regions]) {
    const resource = `arn:<AWS::Partition>:bedrock:${region}::foundation-model/${routed.model}`;
    if (!resource.includes('*')) continue;
    Validations.of(role).acknowledge({
      id: `AwsSolutions::AwsSolutions-IAM5[Resource::${resource}]`,
      reason: 'The profile chooses the region of the model, and a condition allows no way to it but this one profile.',
    });
  }
}
