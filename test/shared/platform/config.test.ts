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
      maxCampaignsPerUser: 10_000,
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
  ])('hand out addresses that reach a server on %s', (HOST, baseUrl) => {
    expect(readConfig({ HOST }, true)).toMatchObject({ host: HOST, baseUrl });
    expect(readConfig({ HOST, BASE_URL: 'https://ads.example' }, true).baseUrl).toBe('https://ads.example');
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
    ['BID_TTL_SECONDS', '-1', /^BID_TTL_SECONDS=-1: must be 0 or more/],
    ['WEBHOOK_BACKOFF_SECONDS', '1;2', /^WEBHOOK_BACKOFF_SECONDS=1;2: must be delays/],
    ['WEBHOOK_TIMEOUT_SECONDS', '11', /^WEBHOOK_TIMEOUT_SECONDS=11: must be at most 10 seconds$/],
    ['WEBHOOK_ALLOW_LOCAL', 'yes', /^WEBHOOK_ALLOW_LOCAL=yes: must be true or false$/],
    ['MAX_CAMPAIGNS_PER_USER', '0', /^MAX_CAMPAIGNS_PER_USER=0: must be 1 to 1000000$/],
    ['MAX_CAMPAIGNS_PER_USER', '1.5', /^MAX_CAMPAIGNS_PER_USER=1.5: must be a whole number of campaigns$/],
    ['LOG_LEVEL', 'loud', /^LOG_LEVEL=loud: must be debug, info/],
  ])('name %s when it is %s', (name, value, message) => {
    expect(() => readConfig({ [name]: value }, true)).toThrow(ConfigError);
    expect(() => readConfig({ [name]: value }, true)).toThrow(message);
  });

  it('take an empty variable for unset, and base addresses with or without a slash', () => {
    expect(readConfig({ PORT: '' }, true).port).toBe(3000);
    expect(readConfig({ BASE_URL: 'https://ads.example/' }, true).baseUrl).toBe('https://ads.example');
  });
});
