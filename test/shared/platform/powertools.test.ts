import { Logger } from '@aws-lambda-powertools/logger';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLog, type LogFields } from '../../../shared/platform/log.ts';
import { powertoolsLog, powertoolsMetrics } from '../../../shared/platform/powertools.ts';
import { useServiceInMemory } from '../../memory/stack.ts';
import { createHandlers, createTestClock, httpEvent } from '../../service.ts';

// @module-tag whole

/** Lines written to standard output and standard error. */
let written: string[];
const linesOf = () => written.map((line) => JSON.parse(line));

beforeEach(() => {
  written = [];
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((line) => Boolean(written.push(String(line))));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

describe('The log of a deployed function', () => {
  it('writes one JSON object per line with time, level, and fields', () => {
    powertoolsLog('info').info('request', { requestId: 'r1', status: 200 });
    const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(linesOf()).toEqual([{ timestamp, level: 'info', message: 'request', requestId: 'r1', status: 200 }]);
    expect(written[0]).toMatch(/\}\n$/);
  });

  it('keeps null and empty fields, and omits undefined ones', () => {
    powertoolsLog('info').info('click', { reason: null, userAgent: '', error: undefined });
    const { timestamp, ...line } = linesOf()[0];
    expect(line).toEqual({ level: 'info', message: 'click', reason: null, userAgent: '' });
  });

  it('uses LOG_LEVEL and ignores the level of Lambda', () => {
    vi.stubEnv('AWS_LAMBDA_LOG_LEVEL', 'DEBUG');
    const log = powertoolsLog('warn');
    log.debug('one');
    log.info('two');
    log.warn('three');
    log.error('four');
    expect(linesOf().map(({ level, message }) => [level, message])).toEqual([
      ['warn', 'three'],
      ['error', 'four'],
    ]);
    powertoolsLog('silent').error('five');
    expect(written).toHaveLength(2);
  });
});

describe('Conversation text in a failed write', () => {
  const TEXT = 'my doctor says it is cancer';
  const Item = { id: { S: 'bid_1' }, messages: { L: [{ S: TEXT }] } };
  const failed = () => {
    const details = { $metadata: {}, message: 'Transaction cancelled', Item };
    const error = new TransactionCanceledException({
      ...details,
      CancellationReasons: [{ Code: 'ConditionalCheckFailed', Item }],
    });
    return Object.assign(error, { Item, cause: Object.assign(new Error('the condition failed'), { Item }) });
  };
  /** An `any`, which the compiler does not check. */
  const unchecked = (value: unknown) => JSON.parse('{}', () => value);

  it('would be written by Powertools itself, which prints the properties of an error', () => {
    new Logger().error('write failed', failed());
    expect(written.join()).toContain(TEXT);
  });

  it.each<[string, () => LogFields]>([
    ['in a field', () => ({ error: unchecked(failed()) })],
    ['in the place of the fields', () => unchecked(failed())],
    ['in a list', () => ({ errors: [unchecked(failed())] })],
    ['deep within a field', () => ({ call: { table: 'bids', cause: unchecked(failed()) } })],
    ['within another error', () => ({ error: unchecked(new Error('not written', { cause: failed() })) })],
    ['within an aggregate of errors', () => ({ error: unchecked(new AggregateError([failed()], 'not written')) })],
    ['within a map', () => ({ errors: unchecked(new Map([['one', failed()]])) })],
  ])('is not written if the error is %s', (_, fields) => {
    const log = powertoolsLog('debug');
    for (const level of ['debug', 'info', 'warn', 'error'] as const) log[level]('write failed', fields());
    createLog('debug', (line) => written.push(line)).error('write failed', fields());
    expect(written).toHaveLength(5);
    expect(written.join()).not.toContain('cancer');
  });

  it('is not written if the error is passed as the message', () => {
    powertoolsLog('debug').error(unchecked(failed()));
    expect(written.join()).toContain('Transaction cancelled');
    expect(written.join()).not.toContain('cancer');
  });

  it('is dropped, but message and stack of the error are kept', () => {
    powertoolsLog('debug').error('write failed', { error: unchecked(failed()) });
    const stack = expect.stringContaining('powertools.test.ts');
    expect(linesOf()[0].error).toEqual({ message: 'Transaction cancelled', stack });
  });

  it('does not compile as a field, like any unknown value', () => {
    const log = powertoolsLog('silent');
    // @ts-expect-error: an error is no plain value
    log.error('write failed', { error: failed() });
    // @ts-expect-error: neither is an error in the place of the fields
    log.error('write failed', failed());
    // @ts-expect-error: nor what a catch gives
    log.error('write failed', { cause: failed() as unknown });
    expect(written).toEqual([]);
  });
});

describe('The metrics of a deployed function', () => {
  it('are lines in the embedded metric format, with the stage as dimension', () => {
    const metrics = powertoolsMetrics('ads-prod-', 'info', createTestClock(), 10_000);
    metrics.add('Bids');
    metrics.add('MatchTime', 3);
    metrics.flush();
    const [{ _aws, ...values }] = linesOf();
    expect(_aws.CloudWatchMetrics).toEqual([
      {
        Namespace: 'ConversationAds',
        Dimensions: [['service']],
        Metrics: [
          { Name: 'Bids', Unit: 'Count' },
          { Name: 'MatchTime', Unit: 'Milliseconds' },
        ],
      },
    ]);
    expect(values).toEqual({ service: 'ads-prod', Bids: 1, MatchTime: 3 });
  });

  it('are written at once by a new instance, and then every ten seconds', () => {
    const clock = createTestClock();
    const metrics = powertoolsMetrics('ads-prod-', 'info', clock, 10_000);
    for (let second = 0; second <= 10; second++) {
      metrics.add('Bids');
      metrics.flush();
      clock.advance(1_000);
    }
    expect(linesOf().map(({ Bids }) => Bids)).toEqual([1, Array(10).fill(1)]);
    metrics.flush(); // Nothing to write.
    expect(written).toHaveLength(2);
  });

  it('have at most 100 values per line, the limit of CloudWatch', () => {
    const metrics = powertoolsMetrics('ads-prod-', 'info', createTestClock(), 10_000);
    for (let n = 0; n < 250; n++) metrics.add('MatchTime', n);
    metrics.flush();
    expect(linesOf().flatMap(({ MatchTime }) => MatchTime)).toEqual(Array.from({ length: 250 }, (_, n) => n));
    expect(linesOf().map(({ MatchTime }) => MatchTime.length)).toEqual([100, 100, 50]);
  });

  it('are not written if the log is silent', () => {
    const metrics = powertoolsMetrics('ads-prod-', 'silent', createTestClock(), 10_000);
    metrics.add('Bids');
    metrics.flush();
    expect(written).toEqual([]);
  });
});

describe('A bid', () => {
  const service = useServiceInMemory();

  it.each([
    ['won', 'Which running shoes should I buy?'],
    ['not made', 'Tell me a joke about penguins'],
  ])('%s writes less than 200 bytes, metrics included, at one bid per second', async (_, content) => {
    await service.campaign();
    const { clock, stack } = service;
    const key = await service.key();
    const handlers = await createHandlers({
      ...stack.effects,
      log: powertoolsLog('info'),
      metrics: powertoolsMetrics('ads-prod-', 'info', clock, 10_000),
    });
    const { event } = httpEvent('POST', '/api/v1/ssp/bid', {
      headers: { 'x-api-key': key },
      body: { countryCode: 'US', messages: [{ role: 'user', content }] },
    });
    event.requestContext.requestId = 'JKJaXmPLvHcESHA=';
    const bids = 60;
    for (let second = 0; second < bids; second++) {
      expect((await handlers['ssp/bid'](event)).statusCode).toBe(200);
      clock.advance(1_000);
    }
    expect(written.join('').length / bids).toBeLessThan(200);
  });
});
