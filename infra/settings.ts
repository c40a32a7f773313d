import { type Config, ConfigError, readConfig } from '../shared/platform/config.ts';
import type { SignInSettings } from '../shared/platform/values/site-settings.ts';
import { readStageOptions, SERVICE_SETTINGS, SettingsError, type StageOptions } from './stage-options.ts';

/** What a kind of stage brings. */
interface KindSettings {
  /** Tables and log groups outlive the stack; tables refuse to be deleted, and can be set back to any second of the last 35 days. */
  keepsData: boolean;
  logDays: 7 | 90;
  /** Alarms, and with them the way back when a new version makes one of them go off. */
  hasAlarms: boolean;
  /** What the gateway lets through at all, a second and at once: a backstop far above the limits of the keys. */
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
  /** What the names of tables, queues and functions start with, so that several stages live in one account. */
  prefix: string;
  domain: DomainSettings | undefined;
  /** What handed-out addresses start with, if not the domain or the API's own address: a CDN in front, say. */
  baseUrl: string | undefined;
  /** Who says which user manages: the header x-user-id, a JSON web token, or IAM. */
  management: { auth: 'header' | 'iam' } | { auth: 'jwt'; issuer: string; audience: string[] };
  alarmEmail: string | undefined;
  /** Rollout mode of hot functions. `now` ships a fix while an alarm blocks gradual deployments. */
  rollout: 'gradual' | 'now';
  /** Deliveries of webhooks that may be under way at once; one owner's are an eighth of them at most. */
  deliveryConcurrency: number;
  /** Concurrent runs reserved for the hot functions together, and the most that they get; 0 reserves none and limits none. */
  hotConcurrency: number;
  /** Whether the page and the readable API are deployed too. */
  site: boolean;
  /** Where the page's users sign in; null where it has nobody's. */
  signIn: SignInSettings | null;
  /** The language model that gives bids a second opinion, as the functions will read it. */
  judge: Config['judge'];
  /** Settings of the service itself that are not left at their defaults. */
  environment: Record<string, string>;
  /** What `-c` sets otherwise than the stage's file. */
  overrides: string[];
}

export interface DomainSettings {
  /** The name of this region alone: what handed-out addresses start with, since only this region knows its bids. */
  name: string;
  /** A name that every region has, and that DNS answers with the nearest healthy one. */
  sharedName: string | undefined;
  certificate: string;
  /** The Route 53 zone in which the records are created. */
  hostedZone: string | undefined;
}

/**
 * The settings of a stage's stacks: one for each region that it names, or one for wherever the CLI deploys.
 * @param context `-c key=value`, and what else the CDK has for context
 * @param folder where the files of the stages are
 * @throws SettingsError
 */
export const readSettings = (context: Readonly<Record<string, unknown>>, folder?: string): Settings[] =>
  toSettings(readStageOptions(context, folder));

/** The settings of a production stage that chooses nothing more, which the figures of docs/ are about. */
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
  throw new SettingsError(`${key}=${text}: must contain {region}, since every region keeps its own data`);
}

function fillRegion(key: string, text: string, region: string | undefined): string {
  if (region === undefined && text.includes('{region}')) {
    throw new SettingsError(`${key}=${text}: needs regions to put in the place of {region}`);
  }
  return text.replaceAll('{region}', region ?? '');
}

/**
 * The names of one region, with the certificate that stands in it: certificates do not leave their region. One name for several
 * regions needs DNS that tells them apart; each then has a name of its own below it.
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
      `certificates=${certificates}: must name a certificate in ${region ?? 'the region'} for the domain`,
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

/** Tokens may come from another origin than the issuer's, as those of Cognito do: the page is allowed to ask these alone. */
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

/** What the roles may reach for the judge is made of these: a wildcard in them would grant more than one model or secret. */
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

/** Neither Bedrock nor Secrets Manager answers one region for an ARN of another. */
function checkReach(key: string, value: string, shape: RegExp, what: string, region: string | undefined): void {
  if (!shape.test(value)) throw new SettingsError(`${key}=${value}: must be the id or the ARN of ${what}`);
  const [, , , standsIn] = value.startsWith('arn:') ? value.split(':') : [];
  if (!standsIn || !region || standsIn === region) return;
  throw new SettingsError(
    `${key}=${value}: cannot be reached from ${region}; name it by its id, or give ${region} a stage`,
  );
}

/** Regions that may use an inference profile, by the geography that its id begins with. */
const GEOGRAPHIES: Readonly<Record<string, RegExp>> = {
  us: /^(us|ca)-/,
  'us-gov': /^us-gov-/,
  eu: /^(eu|il)-/,
  apac: /^(ap|me)-/,
  jp: /^ap-northeast-/,
  au: /^ap-southeast-/,
};

/** Bedrock has no profile of one geography in another; there the judge would fail at every bid. */
function checkGeography(model: string, region: string | undefined): void {
  const [geography = ''] = model.split('.');
  if (!region || !Object.hasOwn(GEOGRAPHIES, geography) || GEOGRAPHIES[geography]!.test(region)) return;
  throw new SettingsError(
    `JUDGE_MODEL=${model}: is a profile of another geography than ${region}; give ${region} a stage`,
  );
}
