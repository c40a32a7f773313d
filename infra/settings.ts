import * as z from 'zod';
import { type Config, ConfigError, readConfig } from '../shared/platform/config.ts';
import type { SignInSettings } from '../shared/values/site-settings.ts';

/** What a stage brings: dev can be thrown away, prod wakes people and forgets nothing by accident. */
interface StageSettings {
  /** Tables outlive the stack, refuse to be deleted, and can be set back to any second of the last 35 days. */
  keepsData: boolean;
  logDays: 7 | 90;
  /** Alarms, and with them the way back when a new version makes one of them go off. */
  watched: boolean;
  /** What the gateway lets through at all, a second and at once: a backstop far above the limits of the keys. */
  throttle: { rateLimit: number; burstLimit: number };
  /** Concurrent runs that are kept for the hot functions together, and the most that they get; 0 keeps none and limits none. */
  hotConcurrency: number;
}

const stages = {
  dev: {
    keepsData: false,
    logDays: 7,
    watched: false,
    throttle: { rateLimit: 200, burstLimit: 100 },
    hotConcurrency: 0,
  },
  prod: {
    keepsData: true,
    logDays: 90,
    watched: true,
    throttle: { rateLimit: 5000, burstLimit: 2500 },
    hotConcurrency: 400,
  },
} as const satisfies Record<string, StageSettings>;

/** What an operator chooses for one stack. */
export interface Settings extends StageSettings {
  stage: keyof typeof stages;
  region: string | undefined;
  /** What the names of tables, queues and functions start with, so that several stages live in one account. */
  prefix: string;
  domain: { name: string; certificate: string } | undefined;
  /** What handed-out addresses start with, if not the domain or the API's own address: a CDN in front, say. */
  baseUrl: string | undefined;
  /** Who says which user manages: the header x-user-id, a JSON web token, or IAM. */
  management: { auth: 'header' | 'iam' } | { auth: 'jwt'; issuer: string; audience: string[] };
  alarmEmail: string | undefined;
  /** How new versions of hot functions come: `now` is for when an alarm would hold the very version that mends it. */
  rollout: 'gradual' | 'now';
  /** Deliveries of webhooks that may be under way at once; one owner's are an eighth of them at most. */
  deliveryConcurrency: number;
  /** Whether the page and the readable API are deployed too. */
  site: boolean;
  /** Where the page's users sign in; null where it has nobody's. */
  signIn: SignInSettings | null;
  /** The language model that gives bids a second opinion, as the functions will read it. */
  judge: Config['judge'];
  /** Settings of the service itself that are not left at their defaults. */
  environment: Record<string, string>;
}

/** A choice that cannot be deployed, one line each: the context key, what it was, what it may be. */
export class SettingsError extends Error {}

const list = (item: z.ZodType<string, string>) =>
  z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(item));

const wholeNumber = (least: number, most: number) => {
  const error = `must be a whole number from ${least} to ${most}`;
  return z.coerce.number(error).int(error).min(least, error).max(most, error);
};

const schema = z.object({
  stage: z.enum(['dev', 'prod'], 'must be dev or prod').default('dev'),
  regions: list(
    z.string().regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'must be regions with commas between, such as eu-west-1,us-east-1'),
  ).optional(),
  domain: z
    .string()
    .regex(
      /^([a-z0-9-]|\{region\})+(\.([a-z0-9-]|\{region\})+)+$/,
      'must be a domain name such as ads.example.com or {region}.ads.example.com',
    )
    .optional(),
  certificates: list(
    z
      .string()
      .regex(/^arn:[\w-]+:acm:[\w-]+:\d{12}:certificate\/[\w-]+$/, 'must be ARNs of certificates with commas between'),
  ).optional(),
  baseUrl: z.url({ protocol: /^https$/, error: 'must be an https URL such as https://ads.example.com' }).optional(),
  managementAuth: z.enum(['header', 'jwt', 'iam'], 'must be header, jwt or iam').default('header'),
  jwtIssuer: z
    .url({ protocol: /^https$/, error: 'must be an https URL such as https://login.example.com/' })
    .optional(),
  jwtAudience: list(z.string().min(1, 'must be audiences with commas between')).optional(),
  jwtClientId: z.string().min(1, 'must be the id of a public client of the issuer').optional(),
  jwtScope: z.string().min(1, 'must be scopes with blanks between').default('openid'),
  jwtOrigins: list(z.url({ protocol: /^https$/, error: 'must be https origins with commas between' })).optional(),
  alarmEmail: z.email('must be an e-mail address').optional(),
  rollout: z.enum(['gradual', 'now'], 'must be gradual or now').default('gradual'),
  site: z.enum(['true', 'false'], 'must be true or false').default('false'),
  // What an event source of SQS can be told: 2 to 1,000.
  deliveryConcurrency: wholeNumber(2, 1000).default(500),
  hotConcurrency: wholeNumber(0, 10_000).optional(),
});

/** Settings of the service that a deployment may change; the others follow from the stack. */
const PASSED_ON = [
  'BID_TTL_SECONDS',
  'BUDGET_SHARDS',
  'CAMPAIGN_REFRESH_SECONDS',
  'JUDGE',
  'JUDGE_KEY_SECRET',
  'JUDGE_MODEL',
  'JUDGE_TIMEOUT_MS',
  'JUDGE_URL',
  'LOG_LEVEL',
  'CREATIVE_REVIEW_EXEMPT',
  'EXCHANGE_REQUESTS_PER_SECOND',
  'MAX_CAMPAIGNS_PER_USER',
  'MAX_CAMPAIGN_MIB_PER_USER',
  'PUBLISHER_SHARE',
  'WEBHOOK_BACKOFF_SECONDS',
  'WEBHOOK_TIMEOUT_SECONDS',
];

/** The context keys that are read; `-c key=value` gives them. */
export const CONTEXT_KEYS = [...Object.keys(schema.shape), ...PASSED_ON];

/** One set of settings for each region that is asked for, or one for wherever the CLI deploys. @throws SettingsError */
export function readSettings(context: Record<string, string | undefined>): Settings[] {
  const choices = parse(context);
  const { stage, regions, domain, certificates = [], baseUrl, alarmEmail, deliveryConcurrency } = choices;
  const { hotConcurrency = stages[stage].hotConcurrency } = choices;
  const management = managementOf(choices);
  const environment = environmentOf(context);
  if (domain && (regions?.length ?? 0) > 1 && !domain.includes('{region}')) {
    throw new SettingsError(`domain=${domain}: must contain {region}, since every region keeps its own data`);
  }
  return (regions ?? [undefined]).map((region) => ({
    ...stages[stage],
    stage,
    region,
    prefix: `ads-${stage}-`,
    domain: domain ? domainOf(domain, certificates, region) : undefined,
    baseUrl: baseUrl?.replace(/\/+$/, ''),
    management,
    alarmEmail,
    rollout: choices.rollout,
    site: choices.site === 'true',
    signIn: signInOf(management, choices),
    deliveryConcurrency,
    hotConcurrency,
    judge: readConfig(environment, false).judge,
    environment: { ...environment, MANAGEMENT_AUTH: management.auth },
  }));
}

function parse(context: Record<string, string | undefined>): z.output<typeof schema> {
  const result = schema.safeParse(context);
  if (result.success) return result.data;
  const lines = result.error.issues.map(
    ({ path, message }) => `${String(path[0])}=${context[String(path[0])]}: ${message}`,
  );
  throw new SettingsError([...new Set(lines)].join('\n'));
}

/** The domain of one region, with the certificate that stands in it: certificates do not leave their region. */
function domainOf(pattern: string, certificates: readonly string[], region: string | undefined) {
  const certificate = certificates.find((arn) => region === undefined || arn.split(':')[3] === region);
  if (!certificate) {
    throw new SettingsError(
      `certificates=${certificates}: must name a certificate in ${region ?? 'the region'} for the domain`,
    );
  }
  if (region === undefined && pattern.includes('{region}')) {
    throw new SettingsError(`domain=${pattern}: needs -c regions=… to put in the place of {region}`);
  }
  return { name: pattern.replaceAll('{region}', region ?? ''), certificate };
}

function managementOf({
  managementAuth: auth,
  jwtIssuer,
  jwtAudience,
}: z.output<typeof schema>): Settings['management'] {
  if (auth !== 'jwt') return { auth };
  if (!jwtIssuer || !jwtAudience)
    throw new SettingsError('managementAuth=jwt: needs -c jwtIssuer=… and -c jwtAudience=…');
  return { auth, issuer: jwtIssuer, audience: jwtAudience };
}

/** Tokens may come from another origin than the issuer's, as those of Cognito do: the page is allowed to ask these alone. */
function signInOf(
  management: Settings['management'],
  { jwtClientId: clientId, jwtScope: scope, jwtOrigins: origins }: z.output<typeof schema>,
): Settings['signIn'] {
  if (management.auth !== 'jwt' || !clientId) return null;
  const { issuer, audience } = management;
  const asked = origins ?? [issuer];
  return { issuer, clientId, scope, audience: audience[0]!, origins: asked.map((url) => new URL(url).origin) };
}

function environmentOf(context: Record<string, string | undefined>): Record<string, string> {
  const chosen = PASSED_ON.flatMap((name) => (context[name] === undefined ? [] : [[name, context[name]]]));
  const environment = Object.fromEntries(chosen);
  try {
    readConfig(environment, false);
  } catch (error) {
    throw error instanceof ConfigError ? new SettingsError(error.message) : error;
  }
  return environment;
}
