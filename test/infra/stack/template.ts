import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Validations } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { AwsSolutionsChecks } from 'cdk-nag';
import { readSettings, type Settings } from '../../../infra/settings.ts';
import { AdsStack } from '../../../infra/stack.ts';

// The validation of templates takes most of the time of a synthesis; `npm run synth` does it once.
process.env.CDK_VALIDATION = 'false';

export type Choices = Readonly<Record<string, string>>;

/** Stages that choose nothing: those in infra/stages are the operator's to change. */
export const STAGES = 'test/infra/stages';

const certificateIn = (region: string) => `arn:aws:acm:${region}:123456789012:certificate/abc`;

/** What is chosen of all that is tested, in as few stacks as will do: each takes a fifth of a second to synthesise. */
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

/** A template; and what the AWS Solutions rules find in it, and what of that is excepted. */
interface Synthesized {
  template: Template;
  /** What the operator is warned of. */
  warnings: string[];
  violations: Finding[];
  suppressedViolations: Finding[];
}

/** A stack with a line of text for the code of each function: what is tested does not depend on bundles. */
function synthesize(settings: Settings): Synthesized {
  const outdir = mkdtempSync(join(tmpdir(), 'assembly-'));
  try {
    const app = new App({ outdir, treeMetadata: false, stackTraces: false, analyticsReporting: false });
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    const { region } = settings;
    const stack = new AdsStack(app, 'ads', {
      env: { region },
      settings,
      codeOf: (name) => Code.fromInline(`// ${name}`),
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

/** The stacks of one of the choices, one in each region, synthesized once for all that is tested of them. */
export function regionsOf(choices: Choices): Synthesized[] {
  const known = synthesized.get(choices) ?? readSettings(choices, STAGES).map(synthesize);
  synthesized.set(choices, known);
  return known;
}

export const synthesizedOf = (choices: Choices): Synthesized => regionsOf(choices)[0]!;

export const templateOf = (choices: Choices): Template => synthesizedOf(choices).template;

// biome-ignore lint/suspicious/noExplicitAny: CloudFormation as it is written, read where a test needs it.
export type Resource = { id: string; Properties: any; [attribute: string]: any };

/** The resources of a type, each with its id in the template. */
export const resourcesOf = (template: Template, type: string): Resource[] =>
  Object.entries(template.findResources(type)).map(([id, resource]) => ({ id, ...resource }) as Resource);

/** The service's own functions: all but those that a deployment brings along for itself, which have no name. */
export const functionsOf = (template: Template): Resource[] =>
  resourcesOf(template, 'AWS::Lambda::Function').filter(({ Properties }) => Properties.FunctionName);

/** The one resource of a type whose property has this value. */
export function find(template: Template, type: string, property: string, value: unknown): Resource {
  const found = resourcesOf(template, type).filter(({ Properties }) => Properties[property] === value);
  if (found.length !== 1) throw new Error(`${found.length} of ${type} have ${property} = ${value}`);
  return found[0]!;
}
