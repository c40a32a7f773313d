import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Validations } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { AwsSolutionsChecks } from 'cdk-nag';
import { readSettings, type Settings } from '../../../infra/settings.ts';
import { AdsStack } from '../../../infra/stack.ts';

// Validating templates takes most of the time of a synthesis. `npm run synth` validates them instead.
process.env.CDK_VALIDATION = 'false';

export type Choices = Readonly<Record<string, string>>;

/** Stages with default settings, because operators change those in infra/stages. */
export const STAGES = 'test/infra/stages';

const certificateIn = (region: string) => `arn:aws:acm:${region}:123456789012:certificate/abc`;

/** The settings under test, in as few stacks as possible: synthesizing one takes a fifth of a second. */
export const CHOICES = {
  dev: { stage: 'dev' },
  prod: { stage: 'prod' },
  iam: { stage: 'prod', alarmEmail: 'on-call@example.com' },
  jwt: {
    stage: 'prod',
    domain: 'ads.example.com',
    certificates: certificateIn('eu-west-1'),
    hostedZone: 'Z0123456789',
    managementAuth: 'jwt',
    jwtIssuer: 'https://login.example.com/',
    jwtAudience: 'ads,console',
  },
  regions: {
    stage: 'prod',
    regions: 'eu-west-1,us-east-1',
    domain: 'ads.example.com',
    certificates: `${certificateIn('us-east-1')},${certificateIn('eu-west-1')}`,
    hostedZone: 'Z0123456789',
    site: 'true',
    alarmEmail: 'on-call@example.com',
    JUDGE: 'bedrock',
    JUDGE_MODEL: 'global.amazon.nova-2-lite-v1:0',
  },
  site: { stage: 'prod', alarmEmail: 'on-call@example.com', site: 'true' },
  now: { stage: 'prod', rollout: 'now', hotConcurrency: '80', JUDGE: 'bedrock', JUDGE_MODEL: 'small' },
  bedrock: {
    stage: 'dev',
    JUDGE: 'bedrock',
    JUDGE_MODEL: 'amazon.nova-micro-v1:0',
    deliveryConcurrency: '20',
    hotConcurrency: '3',
  },
  profile: { stage: 'dev', JUDGE: 'bedrock', JUDGE_MODEL: 'us.amazon.nova-micro-v1:0' },
  ownProfile: {
    stage: 'dev',
    JUDGE: 'bedrock',
    JUDGE_MODEL: 'arn:aws:bedrock:eu-west-1:123456789012:application-inference-profile/a1b2c3',
  },
  openai: {
    stage: 'dev',
    JUDGE: 'openai',
    JUDGE_MODEL: 'small',
    JUDGE_URL: 'https://models.example/v1',
    JUDGE_KEY_SECRET: 'ads/judge',
    BID_TTL_SECONDS: '60',
    MAX_CAMPAIGNS_PER_USER: '500',
    domain: 'ads.example.com',
    certificates: certificateIn('eu-west-1'),
    baseUrl: 'https://cdn.example.com/',
    deliveryConcurrency: '2',
  },
} satisfies Record<string, Choices>;

interface Finding {
  ruleName: string;
  reason?: string;
}

/** A template, and the violations of AWS Solutions rules in it. */
interface Synthesized {
  template: Template;
  /** Warnings that the operator sees. */
  warnings: string[];
  violations: Finding[];
  suppressedViolations: Finding[];
}

/** A stack whose functions have a placeholder for code, so that tests do not wait for bundles. */
function synthesize(settings: Settings): Synthesized {
  const outdir = mkdtempSync(join(tmpdir(), 'assembly-'));
  try {
    const app = new App({ outdir, treeMetadata: false, stackTraces: false, analyticsReporting: false });
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    const { region } = settings;
    const stack = new AdsStack(app, 'ads', {
      env: { region },
      settings,
      getCode: (name) => Code.fromInline(`// ${name}`),
    });
    const template = Template.fromStack(stack);
    const { pluginReports } = JSON.parse(readFileSync(join(outdir, 'validation-report.json'), 'utf8'));
    const warnings = Annotations.fromStack(stack).findWarning('*', Match.anyValue());
    return { template, warnings: warnings.map(({ entry }) => String(entry.data)), ...pluginReports[0] };
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

const synthesized = new Map<Choices, Synthesized[]>();

/** The stacks for one of the choices, one per region. Synthesized once and shared by all tests. */
export function regionsOf(choices: Choices): Synthesized[] {
  const stacks = synthesized.get(choices) ?? readSettings(choices, STAGES).map(synthesize);
  synthesized.set(choices, stacks);
  return stacks;
}

export const synthesizedOf = (choices: Choices): Synthesized => regionsOf(choices)[0]!;

export const templateOf = (choices: Choices): Template => synthesizedOf(choices).template;

// biome-ignore lint/suspicious/noExplicitAny: tests read any part of a CloudFormation template.
export type Resource = { id: string; Properties: any; [attribute: string]: any };

/** The resources of a type by logical id. */
export const resourcesOf = (template: Template, type: string): Resource[] =>
  Object.entries<Resource>(template.toJSON().Resources)
    .filter(([, { Type }]) => Type === type)
    .map(([id, resource]) => ({ ...resource, id }));

/** The functions of the service. Helper functions of a deployment have no name. */
export const functionsOf = (template: Template): Resource[] =>
  resourcesOf(template, 'AWS::Lambda::Function').filter(({ Properties }) => Properties.FunctionName);

const NAMES = [
  'AlarmName',
  'DomainName',
  'FunctionName',
  'LogGroupName',
  'Name',
  'QueueName',
  'StateMachineName',
  'TableName',
  'TopicName',
];

/** Resolves a reference to the resource's name, such as `ads-dev-bids`. Strings are returned unchanged. */
export function nameOf(template: Template, reference: string | Record<string, string | string[]>): string {
  if (typeof reference === 'string') return reference;
  const id = [reference.Ref ?? reference['Fn::GetAtt']!].flat()[0]!;
  const { Type, Properties } = template.toJSON().Resources[id];
  // The names of aliases and versions are relative to their function.
  if (Properties.FunctionName?.Ref) return `${nameOf(template, Properties.FunctionName)} ${Type.split('::')[2]}`;
  const name = NAMES.map((property) => Properties[property]).find((value) => typeof value === 'string');
  if (!name) throw new Error(`${Type} ${id} has no name`);
  return name;
}

/** The function of an operation or worker. */
export const functionOf = (template: Template, stage: string, name: string): Resource =>
  find(template, 'AWS::Lambda::Function', 'FunctionName', `ads-${stage}-${name.replaceAll('/', '-')}`);

/** The only resource of a type whose property has this value. */
export function find(template: Template, type: string, property: string, value: unknown): Resource {
  const found = resourcesOf(template, type).filter(({ Properties }) => Properties[property] === value);
  if (found.length !== 1) throw new Error(`${found.length} of ${type} have ${property} = ${value}`);
  return found[0]!;
}
