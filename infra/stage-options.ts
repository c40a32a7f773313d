import { readdirSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { getKeys, toRecord } from '../shared/platform/values/typed.ts';

/** Invalid stage settings. One line per error: the file or -c, the key, the value, and what is allowed. */
export class SettingsError extends Error {}

const wholeNumber = (least: number, most: number) => {
  const error = `must be a whole number from ${least} to ${most}`;
  return z.int(error).min(least, error).max(most, error);
};

const httpsUrl = (error: string) => z.url({ protocol: /^https$/, error });

/** Settings of the service that a deployment passes to its functions as environment variables. */
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
  .union([z.string(), z.number(), z.boolean()], 'must be a string, a number, true, or false')
  .describe('A setting of the service; see docs/operator.md')
  .optional();

/** Options that both a stage's file and `-c` accept. */
const sharedOptions = {
  regions: z
    .array(
      z.string().regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'must be regions separated by commas, such as eu-west-1,us-east-1'),
      'must be a list, such as ["eu-west-1", "us-east-1"]',
    )
    .min(1, 'must name a region')
    .refine((regions) => new Set(regions).size === regions.length, 'must name each region once')
    .describe('Deploys one stack per region; by default, one stack in the region of the AWS CLI')
    .optional(),
  domain: z
    .string()
    .regex(
      /^([a-z0-9-]|\{region\})+(\.([a-z0-9-]|\{region\})+)+$/,
      'must be a domain name such as ads.example.com or {region}.ads.example.com',
    )
    .describe('The domain name of the API; {region} is replaced by the region')
    .optional(),
  certificates: z
    .array(
      z
        .string()
        .regex(
          /^arn:[\w-]+:acm:[\w-]+:\d{12}:certificate\/[\w-]+$/,
          'must be ARNs of certificates separated by commas',
        ),
    )
    .describe('ARNs of the ACM certificates for the domain, one per region')
    .optional(),
  hostedZone: z
    .string()
    .regex(/^Z[A-Z0-9]+$/, 'must be the ID of a Route 53 hosted zone, such as Z0123456789ABCDEFGHIJ')
    .describe('The Route 53 hosted zone in which the deployment creates the DNS records of the domain')
    .optional(),
  baseUrl: z
    .string()
    .refine(
      (text) => text.startsWith('https://') && URL.canParse(text.replaceAll('{region}', 'region')),
      'must be an https URL such as https://ads.example.com',
    )
    .describe('Base of the URLs in responses, if a CDN is in front of the API; {region} is replaced by the region')
    .optional(),
  managementAuth: z
    .enum(['header', 'jwt', 'iam'], 'must be header, jwt, or iam')
    .describe(
      'How management requests are authenticated: a JSON web token (jwt) or an AWS signature (iam) that the gateway verifies, or the trusted header x-user-id (header)',
    )
    .optional(),
  jwtIssuer: httpsUrl('must be an https URL such as https://login.example.com/')
    .describe('Issuer of the tokens')
    .optional(),
  jwtAudience: z
    .array(z.string().min(1, 'must be audiences separated by commas'))
    .min(1, 'must name an audience')
    .describe('Accepted audiences of the tokens')
    .optional(),
  jwtClientId: z
    .string()
    .min(1, 'must be the ID of a public client of the issuer')
    .describe('The public OAuth client with which users sign in to the web app')
    .optional(),
  jwtScope: z
    .string()
    .min(1, 'must be scopes separated by spaces')
    .describe('Scopes that the web app requests; the default is openid')
    .optional(),
  jwtOrigins: z
    .array(httpsUrl('must be https origins separated by commas'))
    .min(1, 'must name an origin')
    .describe(
      "Origins from which the web app may fetch the issuer's metadata and tokens; the default is the issuer's origin",
    )
    .optional(),
  alarmEmail: z
    .email('must be an e-mail address')
    .describe('Address to subscribe to the alarms; its owner must confirm the subscription')
    .optional(),
  site: z.boolean('must be true or false').describe('Whether to deploy the web app and the API reference').optional(),
  // Lambda accepts a maximum concurrency of 2 to 1,000 for an SQS event source.
  deliveryConcurrency: wholeNumber(2, 1000)
    .describe('Maximum number of concurrent webhook deliveries; the default is 500')
    .optional(),
  hotConcurrency: wholeNumber(0, 10_000)
    .describe('Lambda concurrency reserved for the bid, ad, and click functions together; by default, none is reserved')
    .optional(),
  ...toRecord(SERVICE_SETTINGS, () => serviceSetting),
};

/** The file of a stage, infra/stages/<stage>.json. */
const stageFile = z.strictObject({
  $schema: z.string().optional(),
  kind: z
    .enum(['dev', 'prod'], 'must be dev or prod')
    .describe('dev deletes all data with the stack; prod keeps data and logs, and has alarms'),
  ...sharedOptions,
});

const stageName = z
  .string('is required, as in -c stage=prod')
  // The name of a function contains the stage and has at most 64 characters.
  .regex(/^(?=.{1,20}$)[a-z][a-z0-9]*(-[a-z0-9]+)*$/, 'must be 1 to 20 lowercase letters, digits, and inner hyphens')
  // Avoids name collisions: stages test-ssp-bid and test would both have the alarm ads-test-ssp-bid-errors.
  .regex(/^(?!.*-(trusted-match|ssp-bid|ssp-ad|click-redirect)$)/, 'must not end with the name of a function');

/** Options that `-c` accepts. `rollout` applies to one deployment; `kind` can be set only in the file. */
const commandLine = z.strictObject({
  stage: stageName,
  rollout: z.enum(['gradual', 'now'], 'must be gradual or now').optional(),
  ...sharedOptions,
});

/** JSON schema of a stage's file, for editors. */
export const stageFileSchema = (): object => ({
  title: 'Settings of a stage',
  ...z.toJSONSchema(stageFile, { target: 'draft-7' }),
});

export interface StageOptions extends Omit<z.output<typeof stageFile>, '$schema'>, z.output<typeof commandLine> {
  /** Keys that `-c` sets to another value than the file. The next deployment without `-c` reverts them. */
  overrides: string[];
}

const STAGES = 'infra/stages';
const ROOT = `${import.meta.dirname}/..`;

/**
 * Reads the options of a stage: its file, overridden by `-c key=value`.
 * @param context the complete CDK context, including the CDK's own keys
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
  const overrides = getKeys(overriding).filter((key) => !isDeepStrictEqual(overriding[key], inFile[key]));
  return { ...choices, overrides };
}

/** Feature flags, and keys that the CDK sets itself or reads from cdk.context.json and ~/.cdk.json. */
const isCdkContext = (key: string): boolean =>
  /^(@|aws:|aws-cdk:)|:account=|^(acknowledged-issue-numbers|cdk-migrate|cli-telemetry)$/.test(key);

/** The command line passes strings only; lists are separated by commas. */
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
      `-c stage=${stage}: ${STAGES}/${stage}.json does not exist; existing stages are ${stages.join(', ')}`,
    );
  }
  try {
    return JSON.parse(readFileSync(`${folder}/${stage}.json`, 'utf8'));
  } catch (error) {
    throw new SettingsError(
      `${STAGES}/${stage}.json: is not valid JSON: ${error instanceof Error ? error.message : error}`,
    );
  }
}

/** On a prod stage, only the file can allow the header x-user-id, so neither an omission nor `-c` opens the stage by accident. */
function checkManagementAuth(
  chosen: StageOptions['managementAuth'],
  inFile: StageOptions['managementAuth'],
  path: string,
): void {
  if (!chosen) {
    throw new SettingsError(
      `${path}: managementAuth: must be iam or jwt; or header, if every caller of the API may act as any user`,
    );
  }
  if (chosen === 'header' && inFile !== 'header') {
    throw new SettingsError(
      `-c managementAuth=header: must be set in ${path}, because it lets every caller of the API act as any user`,
    );
  }
}

/**
 * Validates options.
 * @param origin source of the values, which starts each line of the error
 * @param written the values as the operator wrote them
 * @throws SettingsError
 */
function parse<T extends z.ZodObject>(schema: T, value: unknown, origin: string, written = value): z.output<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const settings = Object.keys(schema.shape).filter((key) => key !== '$schema');
  const lines = result.error.issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => `${origin}${key}: is not a setting; settings are ${settings.join(', ')}`);
    const [key] = issue.path;
    if (key === undefined) return [`${origin}must be an object of settings`];
    return [`${origin}${String(key)}${formatValue(written, String(key))}: ${issue.message}`];
  });
  throw new SettingsError([...new Set(lines)].join('\n'));
}

/** `=value`, as written after -c; empty without a value. */
function formatValue(values: unknown, key: string): string {
  const value = new Map(Object.entries(values ?? {})).get(key);
  if (value === undefined) return '';
  return `=${typeof value === 'object' && !Array.isArray(value) ? JSON.stringify(value) : value}`;
}
