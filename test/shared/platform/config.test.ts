import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '../../../shared/platform/config.ts';

describe('Settings', () => {
  it('have the documented defaults on one machine and in the cloud', () => {
    expect(readConfig({}, true)).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      dataDir: '.data',
      baseUrl: 'http://localhost:3000',
      bidTtlMs: 300_000,
      webhookBackoffMs: [1_000, 4_000, 16_000, 64_000, 256_000],
      webhookTimeoutMs: 10_000,
      webhookAllowLocal: true,
      campaignRefreshMs: 0,
      maxCampaignsPerOwner: 10_000,
      logLevel: 'info',
    });
    expect(readConfig({}, false)).toMatchObject({ webhookAllowLocal: false, campaignRefreshMs: 1_000 });
  });

  it.each([
    ['127.0.0.1', 'http://localhost:3000'],
    ['0.0.0.0', 'http://localhost:3000'],
    ['::', 'http://localhost:3000'],
    ['192.0.2.7', 'http://192.0.2.7:3000'],
    ['fd00::7', 'http://[fd00::7]:3000'],
    ['ads.internal', 'http://ads.internal:3000'],
  ])('have a base URL that reaches a server on %s', (HOST, baseUrl) => {
    expect(readConfig({ HOST }, true)).toMatchObject({ host: HOST, baseUrl });
    expect(readConfig({ HOST, BASE_URL: 'https://ads.example' }, true).baseUrl).toBe('https://ads.example');
  });

  it.each([
    ['127.0.0.1', true],
    ['localhost', true],
    ['LOCALHOST', true],
    ['127.8.9.10', true],
    ['127.1', true],
    ['::1', true],
    ['0:0:0:0:0:0:0:1', true],
    ['[::1]', true],
    ['::ffff:127.0.0.1', true],
    ['::FFFF:127.8.9.10', true],
    ['::ffff:7f00:1', true],
    ['::ffff:192.0.2.7', false],
    ['::ffff:0.0.0.0', false],
    ['127.0.0.1.example', false],
    ['0.0.0.0', false],
    ['::', false],
    ['192.0.2.7', false],
    ['ads.internal', false],
  ])('allow local receivers and demo data on %s: %s', (HOST, allowed) => {
    expect(readConfig({ HOST }, true)).toMatchObject({ webhookAllowLocal: allowed, demoData: allowed });
    expect(readConfig({ HOST }, false)).toMatchObject({ webhookAllowLocal: false, demoData: false });
    const forced = { HOST, WEBHOOK_ALLOW_LOCAL: String(!allowed), DEMO_DATA: String(!allowed) };
    expect(readConfig(forced, true)).toMatchObject({ webhookAllowLocal: !allowed, demoData: !allowed });
  });

  it.each([
    [
      'HOST',
      'http://x',
      /^HOST=http:\/\/x: must be an address or a name of this machine, such as 127.0.0.1 or 0.0.0.0$/,
    ],
    ['PORT', 'http', /^PORT=http: must be a port$/],
    ['PORT', '70000', /^PORT=70000: must be 0 to 65535$/],
    ['BASE_URL', 'example.com', /^BASE_URL=example.com: must be an http\(s\) URL/],
    ['BID_TTL_SECONDS', '0', /^BID_TTL_SECONDS=0: must be 1 or more seconds$/],
    ['BID_TTL_SECONDS', '0.9', /^BID_TTL_SECONDS=0.9: must be 1 or more seconds$/],
    ['BID_TTL_SECONDS', '86401', /^BID_TTL_SECONDS=86401: must be at most 86400 seconds$/],
    ['CAMPAIGN_REFRESH_SECONDS', '-1', /^CAMPAIGN_REFRESH_SECONDS=-1: must be 0 or more seconds$/],
    ['WEBHOOK_BACKOFF_SECONDS', '1;2', /^WEBHOOK_BACKOFF_SECONDS=1;2: must be delays/],
    [
      'WEBHOOK_BACKOFF_SECONDS',
      '1,43201',
      /^WEBHOOK_BACKOFF_SECONDS=1,43201: must be delays of at most 43200 seconds each$/,
    ],
    ['WEBHOOK_TIMEOUT_SECONDS', '0', /^WEBHOOK_TIMEOUT_SECONDS=0: must be 0.1 or more seconds$/],
    ['WEBHOOK_TIMEOUT_SECONDS', '11', /^WEBHOOK_TIMEOUT_SECONDS=11: must be at most 10 seconds$/],
    ['WEBHOOK_ALLOW_LOCAL', 'yes', /^WEBHOOK_ALLOW_LOCAL=yes: must be true or false$/],
    ['MAX_CAMPAIGNS_PER_USER', '0', /^MAX_CAMPAIGNS_PER_USER=0: must be 1 to 1000000$/],
    ['PUBLISHER_SHARE', '70', /^PUBLISHER_SHARE=70: must be a share from 0 to 1, such as 0.7$/],
    ['PUBLISHER_SHARE', '0.33333', /^PUBLISHER_SHARE=0.33333: must have at most 4 decimals$/],
    ['MAX_CAMPAIGNS_PER_USER', '1.5', /^MAX_CAMPAIGNS_PER_USER=1.5: must be a whole number of campaigns$/],
    ['LOG_LEVEL', 'loud', /^LOG_LEVEL=loud: must be debug, info/],
    ['JUDGE', 'gpt', /^JUDGE=gpt: must be off, openai or bedrock$/],
    ['JUDGE', 'bedrock', /^JUDGE=bedrock: needs JUDGE_MODEL$/],
    ['JUDGE_TIMEOUT_MS', '900', /^JUDGE_TIMEOUT_MS=900: must be 50 to 700 milliseconds$/],
  ])('name %s when it is %s', (name, value, message) => {
    expect(() => readConfig({ [name]: value }, true)).toThrow(ConfigError);
    expect(() => readConfig({ [name]: value }, true)).toThrow(message);
  });

  it('accept the minimum bid lifetime and the maximum delay', () => {
    const { bidTtlMs, webhookBackoffMs } = readConfig(
      { BID_TTL_SECONDS: '1', WEBHOOK_BACKOFF_SECONDS: '0,43200' },
      true,
    );
    expect([bidTtlMs, webhookBackoffMs]).toEqual([1_000, [0, 43_200_000]]);
  });

  const JUDGE = { JUDGE: 'openai', JUDGE_MODEL: 'small' };

  it('have no judge by default, and one with its timeout if JUDGE is set', () => {
    expect(readConfig({}, true).judge).toBeUndefined();
    expect(readConfig({ ...JUDGE, JUDGE_URL: 'http://127.0.0.1:11434/v1', JUDGE_KEY: 'sk-1' }, true).judge).toEqual({
      protocol: 'openai',
      model: 'small',
      url: 'http://127.0.0.1:11434/v1',
      key: 'sk-1',
      keySecret: undefined,
      timeoutMs: 350,
    });
  });

  it.each([
    'https://models.example/v1',
    'https://models.example/v1?api-version=preview',
    'http://localhost:1/v1',
    'http://[::1]:1',
    'http://127.0.0.2',
    'http://127.0.0.2?x=1',
  ])('accept the judge URL %s', (JUDGE_URL) => {
    expect(readConfig({ ...JUDGE, JUDGE_URL }, true).judge?.url).toBe(JUDGE_URL);
  });

  it.each([
    'http://models.example/v1',
    'http://localhost.evil.example',
    'http://127.0.0.1.evil.example',
    'http://127.0.0.1@evil.example',
    'https://user:hunter2@models.example',
    'https://hunter2@models.example/v1',
    'https://models.example/v1#hunter2',
    'https://models.example/v1?x=1#',
    'http://127.0.0.1#hunter2',
    'ftp://127.0.0.1',
    'models.example',
  ])('reject the judge URL %s without repeating it', (JUDGE_URL) => {
    const read = () => readConfig({ ...JUDGE, JUDGE_URL }, true);
    expect(read).toThrow(
      /^JUDGE_URL: must be an https URL, or an http URL of this machine .*, without credentials or a fragment$/,
    );
    expect(read).not.toThrow(/hunter2/);
  });

  it('reject a judge key in the cloud without repeating it', () => {
    const read = () => readConfig({ ...JUDGE, JUDGE_URL: 'https://models.example', JUDGE_KEY: 'sk-1' }, false);
    expect(read).toThrow(/^JUDGE_KEY: must not be set in the cloud; name its secret in JUDGE_KEY_SECRET$/);
  });

  it('treat an empty variable as unset, and accept base URLs with or without a slash', () => {
    expect(readConfig({ PORT: '' }, true).port).toBe(3000);
    expect(readConfig({ BASE_URL: 'https://ads.example/' }, true).baseUrl).toBe('https://ads.example');
  });
});
