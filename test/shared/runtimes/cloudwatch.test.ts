import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { cloudLog, cloudMetrics } from '../../../shared/runtimes/cloudwatch.ts';
import { handlersWith, httpEvent, testClock } from '../../harness.ts';
import { useServiceInMemory } from '../../memory/stack.ts';

let written: string[];
const linesOf = () => written.map((line) => JSON.parse(line));

beforeEach(() => {
  written = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((line) => Boolean(written.push(String(line))));
});
afterEach(() => vi.restoreAllMocks());

describe('The log of a deployed function', () => {
  it('is one JSON object a line with the time, the level and the fields', () => {
    const clock = testClock();
    cloudLog('info', clock).info('request', { requestId: 'r1', status: 200 });
    const timestamp = new Date(clock.now()).toISOString();
    expect(linesOf()).toEqual([{ timestamp, level: 'info', message: 'request', requestId: 'r1', status: 200 }]);
    expect(written[0]).toMatch(/\}\n$/);
  });

  it('heeds LOG_LEVEL', () => {
    const log = cloudLog('warn', testClock());
    log.debug('one');
    log.info('two');
    log.warn('three');
    log.error('four');
    expect(linesOf().map(({ message }) => message)).toEqual(['three', 'four']);
    cloudLog('silent', testClock()).error('five');
    expect(written).toHaveLength(2);
  });
});

describe('The metrics of a deployed function', () => {
  it('are lines in the embedded metric format, under the stage', () => {
    const metrics = cloudMetrics('ads-prod-', 'info', testClock(), 10_000);
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
    expect(values).toEqual({ service: 'ads-prod', Bids: [1], MatchTime: [3] });
  });

  it('are written at once by a new instance, and then gathered for ten seconds', () => {
    const clock = testClock();
    const metrics = cloudMetrics('ads-prod-', 'info', clock, 10_000);
    for (let second = 0; second <= 10; second++) {
      metrics.add('Bids');
      metrics.flush();
      clock.advance(1_000);
    }
    expect(linesOf().map(({ Bids }) => Bids.length)).toEqual([1, 10]);
    metrics.flush(); // nothing is nothing
    expect(written).toHaveLength(2);
  });

  it('are a hundred values a line at most, as CloudWatch takes them', () => {
    const metrics = cloudMetrics('ads-prod-', 'info', testClock(), 10_000);
    for (let n = 0; n < 250; n++) metrics.add('MatchTime', n);
    metrics.flush(); // the last of them wait for their ten seconds
    expect(linesOf().flatMap(({ MatchTime }) => MatchTime)).toEqual(Array.from({ length: 200 }, (_, n) => n));
    expect(linesOf().map(({ MatchTime }) => MatchTime.length)).toEqual([100, 100]);
  });

  it('stay out of a log that is silent', () => {
    const metrics = cloudMetrics('ads-prod-', 'silent', testClock(), 10_000);
    metrics.add('Bids');
    metrics.flush();
    expect(written).toEqual([]);
  });
});

describe('A bid', { tags: 'whole' }, () => {
  const service = useServiceInMemory();

  it.each([
    ['won', 'Which running shoes should I buy?'],
    ['not made', 'Tell me a joke about penguins'],
  ])('%s writes less than 200 bytes, metrics included, where an instance has one a second', async (_, content) => {
    await service.campaign();
    const { clock, stack } = service;
    const key = await service.key();
    const handlers = await handlersWith({
      ...stack.effects,
      log: cloudLog('info', clock),
      metrics: cloudMetrics('ads-prod-', 'info', clock, 10_000),
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
