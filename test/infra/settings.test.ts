import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettings } from '../../infra/settings.ts';
import { SettingsError, stageFileSchema } from '../../infra/stage-options.ts';

/** Stages with default settings. */
const STAGES = 'test/infra/stages';

const certificateIn = (region: string) => `arn:aws:acm:${region}:123456789012:certificate/abc`;
const BOTH = `${certificateIn('us-east-1')},${certificateIn('eu-west-1')}`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stages-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The settings of a stage with this stage file. */
function withFile(file: object | string, context: Record<string, unknown> = {}, stage = 'live') {
  writeFileSync(join(folder, `${stage}.json`), typeof file === 'string' ? file : JSON.stringify(file));
  return readSettings({ stage, ...context }, folder);
}

const OPEN = { kind: 'dev' };
const GUARDED = { kind: 'prod', managementAuth: 'iam' };

describe('A stage', () => {
  it('takes its settings from its file', () => {
    const file = {
      ...GUARDED,
      regions: ['eu-west-1', 'us-east-1'],
      domain: '{region}.ads.example.com',
      certificates: [certificateIn('us-east-1'), certificateIn('eu-west-1')],
      alarmEmail: 'on-call@example.com',
      site: true,
      deliveryConcurrency: 20,
      hotConcurrency: 80,
      BID_TTL_SECONDS: 60,
      BUDGET_SHARDS: true,
      PUBLISHER_SHARE: '0.7',
    };
    const [first, second, ...more] = withFile(file);
    expect(more).toEqual([]);
    expect([first!.region, second!.region]).toEqual(['eu-west-1', 'us-east-1']);
    expect(first).toMatchObject({
      stage: 'live',
      prefix: 'ads-live-',
      keepsData: true,
      hasAlarms: true,
      management: { auth: 'iam' },
      alarmEmail: 'on-call@example.com',
      site: true,
      deliveryConcurrency: 20,
      hotConcurrency: 80,
      environment: { BID_TTL_SECONDS: '60', BUDGET_SHARDS: 'true', PUBLISHER_SHARE: '0.7', MANAGEMENT_AUTH: 'iam' },
      overrides: [],
    });
  });

  it('keeps its authentication when it is deployed again by name only', () => {
    const jwt = { managementAuth: 'jwt', jwtIssuer: 'https://login.example.com/', jwtAudience: ['ads'] };
    const [again] = withFile({ kind: 'prod', ...jwt });
    expect(again!.management).toEqual({ auth: 'jwt', issuer: 'https://login.example.com/', audience: ['ads'] });
  });

  it('accepts any name that fits into the names of functions', () => {
    for (const name of ['pr-123', 'eu', 'a', 'a2345678901234567890'])
      expect(withFile(OPEN, {}, name)[0]).toMatchObject({ stage: name, prefix: `ads-${name}-`, keepsData: false });
  });

  it.each(['Prod', 'a_b', '-a', 'a-', 'a--b', '1a', '', '../prod', 'a23456789012345678901'])(
    'rejects the name %j',
    (stage) => {
      expect(() => readSettings({ stage }, folder)).toThrow(`-c stage=${stage}: must be 1 to 20 lowercase letters`);
    },
  );

  it('must be named: there is no default', () => {
    expect(() => readSettings({})).toThrow('-c stage: is required, as in -c stage=prod');
  });

  it('must have a file, so a mistyped name deploys nothing', () => {
    expect(() => readSettings({ stage: 'prdo' }, STAGES)).toThrow(
      '-c stage=prdo: infra/stages/prdo.json does not exist; existing stages are dev, prod',
    );
  });

  it('deploys to the region of the AWS CLI if it names no regions', () => {
    expect(readSettings({ stage: 'dev' }, STAGES)).toEqual([
      expect.objectContaining({ stage: 'dev', region: undefined, domain: undefined, prefix: 'ads-dev-' }),
    ]);
  });
});

describe('The command line', () => {
  it('overrides the file with strings', () => {
    const file = { ...GUARDED, alarmEmail: 'a@example.com', regions: ['eu-west-1'], deliveryConcurrency: 20 };
    const context = {
      alarmEmail: 'b@example.com',
      regions: 'us-east-1,us-east-2',
      deliveryConcurrency: '30',
      site: 'true',
      BID_TTL_SECONDS: '60',
    };
    const settings = withFile(file, context);
    expect(settings.map(({ region }) => region)).toEqual(['us-east-1', 'us-east-2']);
    expect(settings[0]).toMatchObject({
      alarmEmail: 'b@example.com',
      deliveryConcurrency: 30,
      site: true,
      environment: { BID_TTL_SECONDS: '60' },
    });
  });

  it('reports the settings that the next deployment reverts', () => {
    const file = { ...GUARDED, alarmEmail: 'a@example.com', site: true };
    const [settings] = withFile(file, { alarmEmail: 'a@example.com', site: 'false', BID_TTL_SECONDS: '60' });
    expect(settings!.overrides).toEqual(['site', 'BID_TTL_SECONDS']);
    expect(withFile(file, { rollout: 'now' })[0]!.overrides).toEqual([]);
  });

  it.each(['stgae', 'managmentAuth', 'ManagementAuth', 'kind', '$schema', 'JUDGE_KEY', 'BASE_URL', 'TABLE_PREFIX'])(
    'rejects %s',
    (key) => {
      expect(() => readSettings({ stage: 'prod', [key]: 'sk-secret' }, STAGES)).toThrow(
        new RegExp(`^-c ${key.replace('$', '\\$')}: is not a setting; settings are stage, rollout, regions, `),
      );
      expect(() => readSettings({ stage: 'prod', [key]: 'sk-secret' }, STAGES)).not.toThrow('sk-secret');
    },
  );

  it("ignores the CDK's own context", () => {
    const { context } = JSON.parse(readFileSync('cdk.json', 'utf8'));
    const own = {
      ...context,
      'aws:cdk:bundling-stacks': ['**'],
      'aws:cdk:enable-path-metadata': true,
      '@aws-cdk/core:bootstrapQualifier': 'other',
      'aws-cdk:enableDiffNoFail': 'true',
      'availability-zones:account=123456789012:region=eu-west-1': ['eu-west-1a'],
      'acknowledged-issue-numbers': [34892],
      'cli-telemetry': false,
    };
    expect(readSettings({ ...own, stage: 'prod' }, STAGES)).toEqual(readSettings({ stage: 'prod' }, STAGES));
  });
});

describe('Management authentication of a prod stage', () => {
  const HEADER = { kind: 'prod', managementAuth: 'header' };

  it('is required', () => {
    expect(() => withFile({ kind: 'prod' })).toThrow(
      /^infra\/stages\/live.json: managementAuth: must be iam or jwt; or header, if every caller of the API/,
    );
  });

  it('accepts the header only if the file sets it', () => {
    expect(withFile(HEADER)[0]!.management).toEqual({ auth: 'header' });
    expect(withFile(HEADER, { managementAuth: 'header' })[0]!.management).toEqual({ auth: 'header' });
    for (const file of [GUARDED, { kind: 'prod' }])
      expect(() => withFile(file, { managementAuth: 'header' })).toThrow(
        '-c managementAuth=header: must be set in infra/stages/live.json',
      );
  });

  it('may be the header on other stages', () => {
    expect(withFile(OPEN)[0]!.management).toEqual({ auth: 'header' });
    expect(withFile({ ...OPEN, managementAuth: 'iam' }, { managementAuth: 'header' })[0]!.management).toEqual({
      auth: 'header',
    });
  });
});

describe('Stage file', () => {
  it.each<[object | string, string]>([
    ['{', 'is not valid JSON: '],
    ['[]', 'must be an object of settings'],
    [{}, 'kind: must be dev or prod'],
    [{ kind: 'staging' }, 'kind=staging: must be dev or prod'],
    [{ ...GUARDED, alarmMail: 'a@example.com' }, 'alarmMail: is not a setting; settings are kind, regions, '],
    [{ ...GUARDED, stage: 'live' }, 'stage: is not a setting'],
    [{ ...GUARDED, rollout: 'now' }, 'rollout: is not a setting'],
    [{ ...GUARDED, JUDGE_KEY: 'sk-secret' }, 'JUDGE_KEY: is not a setting'],
    [{ ...GUARDED, regions: 'eu-west-1' }, 'regions=eu-west-1: '],
    [{ ...GUARDED, regions: ['eu-west-1', 'eu-west-1'] }, 'regions=eu-west-1,eu-west-1: must name each region once'],
    [{ ...GUARDED, site: 'true' }, 'site=true: must be true or false'],
    [{ ...GUARDED, hotConcurrency: '80' }, 'hotConcurrency=80: must be a whole number from 0 to 10000'],
    [{ ...GUARDED, alarmEmail: 'nobody' }, 'alarmEmail=nobody: must be an e-mail address'],
    [{ ...GUARDED, BID_TTL_SECONDS: [60] }, 'BID_TTL_SECONDS=60: must be a string, a number, true, or false'],
  ])('rejects %j with a message', (file, message) => {
    expect(() => withFile(file)).toThrow(SettingsError);
    expect(() => withFile(file)).toThrow(`infra/stages/live.json: ${message}`);
  });

  it('reports all errors at once', () => {
    expect(() => withFile({ kind: 'test', alarmEmail: 'nobody' })).toThrow(/kind=test.*\n.*alarmEmail=nobody/);
  });
});

describe('Schema for editors', () => {
  const ajv = new Ajv({ allowUnionTypes: true });
  addFormats.default(ajv);
  const accepts = ajv.compile(stageFileSchema());

  it('equals the file that `npm run check -- readme` writes', () => {
    expect(JSON.parse(readFileSync('infra/stage.schema.json', 'utf8'))).toEqual(stageFileSchema());
  });

  it.each(readdirSync('infra/stages'))('accepts %s, which refers to the schema and can be deployed', (file) => {
    const settings = JSON.parse(readFileSync(`infra/stages/${file}`, 'utf8'));
    expect(settings.$schema).toBe('../stage.schema.json');
    expect(accepts(settings)).toBe(true);
    expect(readSettings({ stage: file.replace('.json', '') }).length).toBeGreaterThan(0);
  });

  it.each([
    {},
    { ...GUARDED, alarmMail: 'a@example.com' },
    { ...GUARDED, regions: 'eu-west-1' },
    { ...GUARDED, managementAuth: 'none' },
  ])('rejects %j', (stage) => {
    expect(accepts(stage)).toBe(false);
  });
});

describe('Invalid settings', () => {
  it.each<[Record<string, string>, string]>([
    [{ regions: 'Ireland' }, '-c regions=Ireland: must be regions separated by commas, such as eu-west-1,us-east-1'],
    [
      { baseUrl: 'http://ads.example' },
      '-c baseUrl=http://ads.example: must be an https URL such as https://ads.example.com',
    ],
    [
      { baseUrl: 'https://{region}.example' },
      'baseUrl=https://{region}.example: contains {region}, so regions must be set',
    ],
    [
      { baseUrl: 'https://ads.example', regions: 'eu-west-1,us-east-1' },
      'baseUrl=https://ads.example: must contain {region}, because every region has its own data',
    ],
    [{ domain: 'ads.example' }, 'certificates=: must contain a certificate for the domain in the region'],
    [
      { domain: 'ads.example', regions: 'eu-west-1', certificates: certificateIn('us-east-1') },
      `certificates=${certificateIn('us-east-1')}: must contain a certificate for the domain in eu-west-1`,
    ],
    [
      { domain: 'ads.example', regions: 'eu-west-1,us-east-1' },
      'domain=ads.example: must contain {region}, because every region has its own data',
    ],
    [
      { domain: '{region}.ads.example', certificates: BOTH },
      'domain={region}.ads.example: contains {region}, so regions must be set',
    ],
    [{ hostedZone: 'example.com' }, '-c hostedZone=example.com: must be the ID of a Route 53 hosted zone'],
    [{ hostedZone: 'Z0123456789' }, 'hostedZone=Z0123456789: needs a domain'],
    [{ rollout: 'fast' }, '-c rollout=fast: must be gradual or now'],
    [{ site: 'yes' }, '-c site=yes: must be true or false'],
    [{ deliveryConcurrency: '1' }, '-c deliveryConcurrency=1: must be a whole number from 2 to 1000'],
    [{ deliveryConcurrency: '1001' }, '-c deliveryConcurrency=1001: must be a whole number from 2 to 1000'],
    [{ hotConcurrency: 'many' }, '-c hotConcurrency=many: must be a whole number from 0 to 10000'],
    [{ hotConcurrency: '' }, '-c hotConcurrency=: must be a whole number from 0 to 10000'],
    [{ hotConcurrency: '1.5' }, '-c hotConcurrency=1.5: must be a whole number from 0 to 10000'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL=loud: must be debug, info, warn, error or silent'],
    [{ BID_TTL_SECONDS: '0' }, '-c BID_TTL_SECONDS=0: must be 1 or more seconds'],
    [{ JUDGE: 'bedrock', JUDGE_MODEL: '*' }, 'JUDGE_MODEL=*: must be the ID or the ARN of a model'],
    [
      { JUDGE: 'bedrock', JUDGE_MODEL: 'arn:aws:bedrock:*::foundation-model/*' },
      'JUDGE_MODEL=arn:aws:bedrock:*::foundation-model/*: must be the ID or the ARN of a model',
    ],
    [
      {
        JUDGE: 'bedrock',
        JUDGE_MODEL: 'arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.amazon.nova-micro-v1:0',
        regions: 'us-east-1,eu-west-1',
      },
      'is not in eu-west-1; use its ID, or deploy eu-west-1 as a separate stage',
    ],
    [
      { JUDGE: 'bedrock', JUDGE_MODEL: 'us.amazon.nova-micro-v1:0', regions: 'eu-west-1,us-east-1' },
      'JUDGE_MODEL=us.amazon.nova-micro-v1:0: is an inference profile of another geography than eu-west-1',
    ],
    [
      { JUDGE: 'openai', JUDGE_MODEL: 'small', JUDGE_URL: 'https://models.example/v1', JUDGE_KEY_SECRET: '*' },
      'JUDGE_KEY_SECRET=*: must be the ID or the ARN of a secret',
    ],
  ])('rejects %j with a message', (context, message) => {
    expect(() => readSettings({ stage: 'dev', ...context }, STAGES)).toThrow(SettingsError);
    expect(() => readSettings({ stage: 'dev', ...context }, STAGES)).toThrow(message);
  });
});

describe('A domain', () => {
  const domainsOf = (context: Record<string, unknown>) =>
    readSettings({ stage: 'dev', certificates: BOTH, ...context }, STAGES).map(({ domain }) => domain);

  it('differs by region, with the certificate of that region', () => {
    const without = { sharedName: undefined, hostedZone: undefined };
    expect(domainsOf({ regions: 'eu-west-1,us-east-1', domain: '{region}.ads.example.com' })).toEqual([
      { name: 'eu-west-1.ads.example.com', certificate: certificateIn('eu-west-1'), ...without },
      { name: 'us-east-1.ads.example.com', certificate: certificateIn('us-east-1'), ...without },
    ]);
  });

  it('is shared by regions with a hosted zone, and each region gets a subdomain', () => {
    const hostedZone = 'Z0123456789';
    expect(domainsOf({ regions: 'eu-west-1,us-east-1', domain: 'ads.example.com', hostedZone })).toEqual([
      expect.objectContaining({ name: 'eu-west-1.ads.example.com', sharedName: 'ads.example.com', hostedZone }),
      expect.objectContaining({ name: 'us-east-1.ads.example.com', sharedName: 'ads.example.com', hostedZone }),
    ]);
  });

  it('is the name itself for a single region', () => {
    for (const context of [{}, { hostedZone: 'Z0123456789' }, { regions: 'eu-west-1', hostedZone: 'Z0123456789' }])
      expect(domainsOf({ domain: 'ads.example.com', ...context })).toEqual([
        expect.objectContaining({ name: 'ads.example.com', sharedName: undefined }),
      ]);
  });

  it('contains the region, like the base URL', () => {
    const context = { regions: 'eu-west-1,us-east-1', baseUrl: 'https://{region}.cdn.example.com/' };
    expect(readSettings({ stage: 'dev', ...context }, STAGES).map(({ baseUrl }) => baseUrl)).toEqual([
      'https://eu-west-1.cdn.example.com',
      'https://us-east-1.cdn.example.com',
    ]);
  });
});
