import { type Config, ConfigError, readConfig } from '../shared/platform/config.ts';
import type { SignInSettings } from '../shared/platform/values/site-settings.ts';
import { readStageOptions, SERVICE_SETTINGS, SettingsError, type StageOptions } from './stage-options.ts';

/** Settings that depend on the kind of stage. */
interface KindSettings {
  /** Tables and log groups outlive the stack. Tables have deletion protection and point-in-time recovery (35 days). */
  keepsData: boolean;
  logDays: 7 | 90;
  /** Whether the stage has alarms, and therefore automatic rollbacks. */
  hasAlarms: boolean;
  /** The gateway's throttle (requests per second, burst): a backstop far above the rate limits of the keys. */
  throttle: { rateLimit: number; burstLimit: number };
}

const SETTINGS_BY_KIND: Readonly<Record<StageOptions['kind'], KindSettings>> = {
  dev: {
    keepsData: false,
    logDays: 7,
    hasAlarms: false,
    throttle: { rateLimit: 200, burstLimit: 100 },
  },
  prod: {
    keepsData: true,
    logDays: 90,
    hasAlarms: true,
    throttle: { rateLimit: 5000, burstLimit: 2500 },
  },
};

/** The settings of one stack: a stage in a region. */
export interface Settings extends KindSettings {
  stage: string;
  region: string | undefined;
  /** Prefix of the names of tables, queues, and functions, so several stages fit in one account. */
  prefix: string;
  domain: DomainSettings | undefined;
  /** Base of the URLs in responses, such as a CDN's; undefined for the domain or the API's default URL. */
  baseUrl: string | undefined;
  /** How management requests name their user: the header x-user-id, a JSON web token, or IAM. */
  management: { auth: 'header' | 'iam' } | { auth: 'jwt'; issuer: string; audience: string[] };
  alarmEmail: string | undefined;
  /** Rollout mode of hot functions. `now` ships a fix while an alarm blocks gradual deployments. */
  rollout: 'gradual' | 'now';
  /** Maximum number of concurrent webhook deliveries; one owner gets at most an eighth. */
  deliveryConcurrency: number;
  /** Concurrency reserved for the hot functions together, which is also their maximum; 0 for no reservation and no limit. */
  hotConcurrency: number;
  /** Whether the web app and the API reference are deployed. */
  site: boolean;
  /** Where users of the web app sign in; null without sign-in. */
  signIn: SignInSettings | null;
  /** The judge, parsed as the functions parse it. */
  judge: Config['judge'];
  /** Environment variables of the service that differ from the defaults. */
  environment: Record<string, string>;
  /** Keys that `-c` sets to another value than the stage's file. */
  overrides: string[];
}

export interface DomainSettings {
  /** This region's own name. URLs in responses use it, because only this region has its bids. */
  name: string;
  /** The name shared by all regions, which DNS resolves to the nearest healthy one. */
  sharedName: string | undefined;
  certificate: string;
  /** The Route 53 zone in which the records are created. */
  hostedZone: string | undefined;
}

/**
 * Reads the settings of a stage's stacks: one per region, or a single one for the region of the AWS CLI.
 * @param context the CDK context, including `-c key=value`
 * @param folder folder of the stage files
 * @throws SettingsError
 */
export const readSettings = (context: Readonly<Record<string, unknown>>, folder?: string): Settings[] =>
  toSettings(readStageOptions(context, folder));

/** A prod stage with default settings: the basis of the cost and capacity figures in docs/. */
export const defaultProduction = (): Settings => toSettings({ kind: 'prod', stage: 'prod', overrides: [] })[0]!;

function toSettings(choices: StageOptions): Settings[] {
  const { kind, stage, regions = [undefined], baseUrl } = choices;
  const management = toManagement(choices);
  const environment = toEnvironment(choices);
  if (baseUrl && regions.length > 1) requireRegionPlaceholder('baseUrl', baseUrl);
  return regions.map((region) => ({
    ...SETTINGS_BY_KIND[kind],
    stage,
    region,
    prefix: `ads-${stage}-`,
    domain: toDomainSettings(choices, region),
    baseUrl: baseUrl && fillRegion('baseUrl', baseUrl, region).replace(/\/+$/, ''),
    management,
    alarmEmail: choices.alarmEmail,
    rollout: choices.rollout ?? 'gradual',
    site: choices.site ?? false,
    signIn: toSignIn(management, choices),
    deliveryConcurrency: choices.deliveryConcurrency ?? 500,
    hotConcurrency: choices.hotConcurrency ?? 0,
    judge: toJudge(environment, region),
    environment: { ...environment, MANAGEMENT_AUTH: management.auth },
    overrides: choices.overrides,
  }));
}

function requireRegionPlaceholder(key: string, text: string): void {
  if (text.includes('{region}')) return;
  throw new SettingsError(`${key}=${text}: must contain {region}, because every region has its own data`);
}

function fillRegion(key: string, text: string, region: string | undefined): string {
  if (region === undefined && text.includes('{region}')) {
    throw new SettingsError(`${key}=${text}: contains {region}, so regions must be set`);
  }
  return text.replaceAll('{region}', region ?? '');
}

/**
 * The domain names and the certificate of one region. A certificate is valid only in its own region. If several regions share a name,
 * which needs a hosted zone for latency records, each region also gets its own subdomain.
 */
function toDomainSettings(
  { domain, certificates = [], hostedZone, regions = [] }: StageOptions,
  region: string | undefined,
): DomainSettings | undefined {
  if (!domain) {
    if (hostedZone) throw new SettingsError(`hostedZone=${hostedZone}: needs a domain`);
    return undefined;
  }
  const isShared = regions.length > 1 && hostedZone !== undefined && !domain.includes('{region}');
  if (regions.length > 1 && !isShared) requireRegionPlaceholder('domain', domain);
  const certificate = certificates.find((arn) => region === undefined || arn.split(':')[3] === region);
  if (!certificate) {
    throw new SettingsError(
      `certificates=${certificates}: must contain a certificate for the domain in ${region ?? 'the region'}`,
    );
  }
  const name = isShared ? `${region}.${domain}` : fillRegion('domain', domain, region);
  return { name, sharedName: isShared ? domain : undefined, certificate, hostedZone };
}

function toManagement({
  managementAuth: auth = 'header',
  jwtIssuer,
  jwtAudience,
}: StageOptions): Settings['management'] {
  if (auth !== 'jwt') return { auth };
  if (!jwtIssuer || !jwtAudience) throw new SettingsError('managementAuth=jwt: needs jwtIssuer and jwtAudience');
  return { auth, issuer: jwtIssuer, audience: jwtAudience };
}

/** Sign-in of the web app. Tokens may come from another origin than the issuer's (Cognito does this), so origins are configurable. */
function toSignIn(
  management: Settings['management'],
  { jwtClientId: clientId, jwtScope: scope = 'openid', jwtOrigins: origins }: StageOptions,
): Settings['signIn'] {
  if (management.auth !== 'jwt' || !clientId) return null;
  const { issuer, audience } = management;
  const asked = origins ?? [issuer];
  return { issuer, clientId, scope, audience: audience[0]!, origins: asked.map((url) => new URL(url).origin) };
}

function toEnvironment(choices: StageOptions): Record<string, string> {
  const environment = Object.fromEntries(
    SERVICE_SETTINGS.flatMap((name) => (choices[name] === undefined ? [] : [[name, String(choices[name])]])),
  );
  try {
    readConfig(environment, false);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const isOverridden = choices.overrides.some((key) => error.message.startsWith(`${key}=`));
    throw new SettingsError(`${isOverridden ? '-c ' : `infra/stages/${choices.stage}.json: `}${error.message}`);
  }
  return environment;
}

/** Roles are granted access to these values, so a wildcard in them would grant more than one model or secret. */
const BEDROCK_MODEL = /^([\w.:-]+|arn:[\w-]+:bedrock:[\w-]*:\d*:[\w./:-]+)$/;
const SECRET = /^([\w/+=.@-]+|arn:[\w-]+:secretsmanager:[\w-]+:\d{12}:secret:[\w/+=.@-]+)$/;

function toJudge(environment: Record<string, string>, region: string | undefined): Config['judge'] {
  const { judge } = readConfig(environment, false);
  if (judge?.protocol === 'bedrock') {
    checkReach('JUDGE_MODEL', judge.model, BEDROCK_MODEL, 'a model', region);
    checkGeography(judge.model, region);
  }
  if (judge?.keySecret) checkReach('JUDGE_KEY_SECRET', judge.keySecret, SECRET, 'a secret', region);
  return judge;
}

/** Bedrock and Secrets Manager reject ARNs of another region. */
function checkReach(key: string, value: string, shape: RegExp, what: string, region: string | undefined): void {
  if (!shape.test(value)) throw new SettingsError(`${key}=${value}: must be the ID or the ARN of ${what}`);
  const [, , , standsIn] = value.startsWith('arn:') ? value.split(':') : [];
  if (!standsIn || !region || standsIn === region) return;
  throw new SettingsError(`${key}=${value}: is not in ${region}; use its ID, or deploy ${region} as a separate stage`);
}

/** Regions that may use an inference profile, by the geography in its id. */
const GEOGRAPHIES: Readonly<Record<string, RegExp>> = {
  us: /^(us|ca)-/,
  'us-gov': /^us-gov-/,
  eu: /^(eu|il)-/,
  apac: /^(ap|me)-/,
  jp: /^ap-northeast-/,
  au: /^ap-southeast-/,
};

/** An inference profile exists only in its geography; elsewhere, the judge would fail at every bid. */
function checkGeography(model: string, region: string | undefined): void {
  const [geography = ''] = model.split('.');
  if (!region || !Object.hasOwn(GEOGRAPHIES, geography) || GEOGRAPHIES[geography]!.test(region)) return;
  throw new SettingsError(
    `JUDGE_MODEL=${model}: is an inference profile of another geography than ${region}; deploy ${region} as a separate stage`,
  );
}
