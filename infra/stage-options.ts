import { readdirSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { keysOf, recordOf } from '../shared/platform/values/typed.ts';

/** What an operator chose cannot be deployed. One line for each fault: where it stands, its key, its value, and what it may be. */
export class SettingsError extends Error {}

const wholeNumber = (least: number, most: number) => {
  const error = `must be a whole number from ${least} to ${most}`;
  return z.int(error).min(least, error).max(most, error);
};

const httpsUrl = (error: string) => z.url({ protocol: /^https$/, error });

/** Settings of the service itself that a deployment passes on to its functions, which check them as a local start does. */
export const SERVICE_SETTINGS = [
  'BID_TTL_SECONDS',
  'BUDGET_SHARDS',
  'CAMPAIGN_REFRESH_SECONDS',
  'CREATIVE_REVIEW_EXEMPT',
  'EXCHANGE_REQUESTS_PER_SECOND',
  'JUDGE',
  'JUDGE_KEY_SECRET',
  'JUDGE_MODEL',
  'JUDGE_TIMEOUT_MS',
  'JUDGE_URL',
  'LOG_LEVEL',
  'MAX_CAMPAIGNS_PER_USER',
  'MAX_CAMPAIGN_MIB_PER_USER',
  'PUBLISHER_SHARE',
  'WEBHOOK_BACKOFF_SECONDS',
  'WEBHOOK_TIMEOUT_SECONDS',
] as const;

const serviceSetting = z
  .union([z.string(), z.number(), z.boolean()], 'must be a text, a number, true or false')
  .describe('A setting of the service: see docs/operator.md')
  .optional();

/** What both a stage's file and `-c` may set. */
const sharedOptions = {
  regions: z
    .array(
      z.string().regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'must be regions with commas between, such as eu-west-1,us-east-1'),
      'must be a list, such as ["eu-west-1", "us-east-1"]',
    )
    .min(1, 'must name a region')
    .refine((regions) => new Set(regions).size === regions.length, 'must name each region once')
    .describe('One stack in each; without it, one where the CLI points')
    .optional(),
  domain: z
    .string()
    .regex(
      /^([a-z0-9-]|\{region\})+(\.([a-z0-9-]|\{region\})+)+$/,
      'must be a domain name such as ads.example.com or {region}.ads.example.com',
    )
    .describe('The name under which the API answers; {region} stands for the region')
    .optional(),
  certificates: z
    .array(
      z
        .string()
        .regex(
          /^arn:[\w-]+:acm:[\w-]+:\d{12}:certificate\/[\w-]+$/,
          'must be ARNs of certificates with commas between',
        ),
    )
    .describe('ARNs of the ACM certificates for the domain, one in each region')
    .optional(),
  hostedZone: z
    .string()
    .regex(/^Z[A-Z0-9]+$/, 'must be the id of a Route 53 hosted zone, such as Z0123456789ABCDEFGHIJ')
    .describe('The Route 53 hosted zone of the domain, in which the deployment creates the DNS records')
    .optional(),
  baseUrl: z
    .string()
    .refine(
      (text) => text.startsWith('https://') && URL.canParse(text.replaceAll('{region}', 'region')),
      'must be an https URL such as https://ads.example.com',
    )
    .describe('What handed-out addresses start with, for a CDN in front; {region} stands for the region')
    .optional(),
  managementAuth: z
    .enum(['header', 'jwt', 'iam'], 'must be header, jwt or iam')
    .describe('Who says which user manages: a token or a signature that the gateway verifies, or the header x-user-id')
    .optional(),
  jwtIssuer: httpsUrl('must be an https URL such as https://login.example.com/')
    .describe('The issuer of the tokens')
    .optional(),
  jwtAudience: z
    .array(z.string().min(1, 'must be audiences with commas between'))
    .min(1, 'must name an audience')
    .describe('The audiences, one of which a token must be for')
    .optional(),
  jwtClientId: z
    .string()
    .min(1, 'must be the id of a public client of the issuer')
    .describe('The public client as which users of the page sign in')
    .optional(),
  jwtScope: z
    .string()
    .min(1, 'must be scopes with blanks between')
    .describe('What the page asks for; openid unless set')
    .optional(),
  jwtOrigins: z
    .array(httpsUrl('must be https origins with commas between'))
    .min(1, 'must name an origin')
    .describe("Where the page may ask for the issuer's description and tokens; the issuer's origin unless set")
    .optional(),
  alarmEmail: z
    .email('must be an e-mail address')
    .describe('Is subscribed to the alarms, and must confirm once')
    .optional(),
  site: z.boolean('must be true or false').describe('Whether the page and the readable API are deployed').optional(),
  // An event source of SQS takes 2 to 1,000.
  deliveryConcurrency: wholeNumber(2, 1000).describe('Deliveries of webhooks at once; 500 unless set').optional(),
  hotConcurrency: wholeNumber(0, 10_000)
    .describe('Concurrent runs reserved for bid, ad and click together; none unless set')
    .optional(),
  ...recordOf(SERVICE_SETTINGS, () => serviceSetting),
};

/** A stage's file. */
const stageFile = z.strictObject({
  $schema: z.string().optional(),
  kind: z
    .enum(['dev', 'prod'], 'must be dev or prod')
    .describe('dev can be thrown away with all its data; prod keeps its data and logs, and raises alarms'),
  ...sharedOptions,
});

const stageName = z
  .string('must be given, as in -c stage=prod')
  // A function's name has at most 64 characters, the stage's included.
  .regex(/^(?=.{1,20}$)[a-z][a-z0-9]*(-[a-z0-9]+)*$/, 'must be 1 to 20 small letters, digits and inner hyphens')
  // Behind such an end, names of functions and alarms are those of another stage: test-ssp-bid has test's alarm ads-test-ssp-bid-errors.
  .regex(/^(?!.*-(trusted-match|ssp-bid|ssp-ad|click-redirect)$)/, 'must not end like the name of a function');

/** What `-c` may set: for one deployment, which way it is rolled out too. What kind of stage it is stands in the file alone. */
const commandLine = z.strictObject({
  stage: stageName,
  rollout: z.enum(['gradual', 'now'], 'must be gradual or now').optional(),
  ...sharedOptions,
});

/** The JSON schema of a stage's file, for editors. */
export const stageFileSchema = (): object => ({
  title: 'The settings of a stage',
  ...z.toJSONSchema(stageFile, { target: 'draft-7' }),
});

export interface StageOptions extends Omit<z.output<typeof stageFile>, '$schema'>, z.output<typeof commandLine> {
  /** What `-c` sets otherwise than the file: a deployment without it goes back to the file. */
  overrides: string[];
}

const STAGES = 'infra/stages';
const ROOT = `${import.meta.dirname}/..`;

/**
 * The settings of a stage: those of its file, and over them what `-c key=value` says.
 * @param context all context that the CDK knows, its own included
 * @throws SettingsError
 */
export function readStageOptions(
  context: Readonly<Record<string, unknown>>,
  folder = `${ROOT}/${STAGES}`,
): StageOptions {
  const given = Object.entries(context).filter(([key, value]) => value !== undefined && !isCdkContext(key));
  const chosen = Object.fromEntries(given.map(([key, value]) => [key, parseText(key, value)]));
  const { stage, rollout, ...overriding } = parse(commandLine, chosen, '-c ', context);
  const path = `${STAGES}/${stage}.json`;
  const { $schema, ...inFile } = parse(stageFile, readStageFile(stage, folder), `${path}: `);
  const choices = { ...inFile, ...overriding, stage, rollout };
  if (choices.kind === 'prod') checkManagementAuth(choices.managementAuth, inFile.managementAuth, path);
  const overrides = keysOf(overriding).filter((key) => !isDeepStrictEqual(overriding[key], inFile[key]));
  return { ...choices, overrides };
}

/** Feature flags, what the CLI hands over, and what it keeps in cdk.context.json and ~/.cdk.json. */
const isCdkContext = (key: string): boolean =>
  /^(@|aws:|aws-cdk:)|:account=|^(acknowledged-issue-numbers|cdk-migrate|cli-telemetry)$/.test(key);

/** The command line knows texts alone: lists have commas between. */
function parseText(key: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const setting = new Map<string, z.ZodType>(Object.entries(sharedOptions)).get(key);
  const type = setting instanceof z.ZodOptional ? setting.unwrap() : setting;
  if (type instanceof z.ZodArray) return value.split(',');
  if (type instanceof z.ZodNumber && value.trim() !== '') return Number(value);
  if (type instanceof z.ZodBoolean) return value === 'true' || (value === 'false' ? false : value);
  return value;
}

function readStageFile(stage: string, folder: string): unknown {
  const stages = readdirSync(folder).map((file) => file.replace(/\.json$/, ''));
  if (!stages.includes(stage)) {
    throw new SettingsError(
      `-c stage=${stage}: ${STAGES}/${stage}.json is missing; a stage has a file with its settings, as ${stages.join(', ')} have`,
    );
  }
  try {
    return JSON.parse(readFileSync(`${folder}/${stage}.json`, 'utf8'));
  } catch (error) {
    throw new SettingsError(`${STAGES}/${stage}.json: is not JSON: ${error instanceof Error ? error.message : error}`);
  }
}

/** A production stage lets callers name any user only where its file says so: neither an omission nor a command line opens it. */
function checkManagementAuth(
  chosen: StageOptions['managementAuth'],
  inFile: StageOptions['managementAuth'],
  path: string,
): void {
  if (!chosen) {
    throw new SettingsError(
      `${path}: managementAuth: must be iam or jwt; or header, if everyone who reaches the API may manage as any user`,
    );
  }
  if (chosen === 'header' && inFile !== 'header') {
    throw new SettingsError(
      `-c managementAuth=header: must stand in ${path}, since everyone who reaches the API could manage as any user`,
    );
  }
}

/**
 * @param origin where the values stand: the start of each line of the error
 * @param written the values as the operator wrote them
 */
function parse<T extends z.ZodObject>(schema: T, value: unknown, origin: string, written = value): z.output<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const settings = Object.keys(schema.shape).filter((key) => key !== '$schema');
  const lines = result.error.issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => `${origin}${key}: is not a setting here; settings are ${settings.join(', ')}`);
    const [key] = issue.path;
    if (key === undefined) return [`${origin}must be an object of settings`];
    return [`${origin}${String(key)}${formatValue(written, String(key))}: ${issue.message}`];
  });
  throw new SettingsError([...new Set(lines)].join('\n'));
}

/** `=value`, as one would write it behind -c; nothing where there is no value. */
function formatValue(values: unknown, key: string): string {
  const value = new Map(Object.entries(values ?? {})).get(key);
  if (value === undefined) return '';
  return `=${typeof value === 'object' && !Array.isArray(value) ? JSON.stringify(value) : value}`;
}
