import type { Template } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import type { Source, StreamSource } from '../../../shared/operations/rows.ts';
import { type WorkerName, workerNames, workerRow } from '../../../shared/operations/workers.ts';
import { CHOICES, find, type Resource, resourcesOf, templateOf } from './template.ts';

const template = templateOf(CHOICES.dev);
const functionOf = (name: WorkerName) =>
  find(template, 'AWS::Lambda::Function', 'FunctionName', `ads-dev-${name.replaceAll('/', '-')}`).id;

const sourcesOf = <S extends string>(kind: S) =>
  workerNames.flatMap((name) =>
    workerRow(name)
      .sources.filter((source): source is Extract<Source, Record<S, unknown>> => kind in source)
      .map((source) => ({ name, source })),
  );
const streams = sourcesOf('stream');
const fromQueues = sourcesOf('queue');
const timed = sourcesOf('schedule');

const mapping = (name: WorkerName, arn: object) =>
  resourcesOf(template, 'AWS::Lambda::EventSourceMapping')
    .map(({ Properties }) => Properties)
    .find(
      ({ FunctionName, EventSourceArn }) =>
        FunctionName.Ref === functionOf(name) && JSON.stringify(EventSourceArn) === JSON.stringify(arn),
    )!;

test.each(streams)('$name is fed from the stream of $source.stream and gives up no record', ({ name, source }) => {
  const { stream, filters = [], windowSeconds, parallel } = source as StreamSource;
  const table = find(template, 'AWS::DynamoDB::GlobalTable', 'TableName', `ads-dev-${stream}`).id;
  const fed = mapping(name, { 'Fn::GetAtt': [table, 'StreamArn'] });
  expect(fed).toMatchObject({
    StartingPosition: 'TRIM_HORIZON',
    BisectBatchOnFunctionError: true,
    FunctionResponseTypes: ['ReportBatchItemFailures'],
  });
  expect([fed.ParallelizationFactor, fed.TumblingWindowInSeconds]).toEqual([parallel ?? 1, windowSeconds]);
  // Absent, these are "for ever".
  expect(fed.MaximumRetryAttempts ?? -1).toBe(-1);
  expect(fed.MaximumRecordAgeInSeconds ?? -1).toBe(-1);
  const patterns = (fed.FilterCriteria?.Filters ?? []).map(({ Pattern }: { Pattern: string }) => JSON.parse(Pattern));
  expect(patterns).toEqual(filters);
});

test('counting works on one batch of a shard at a time, which says which shard it is of; fan-out on two', () => {
  const of = (name: WorkerName) =>
    streams.filter((one) => one.name === name).map(({ source }) => source as StreamSource);
  expect(of('events/count').map(({ parallel, windowSeconds }) => [parallel, windowSeconds])).toEqual([
    [undefined, 900],
    [undefined, 900],
  ]);
  expect(of('events/fan-out').map(({ parallel }) => parallel)).toEqual([2, 2, 2, 2, 2]);
});

test('phrases are suggested where there is a judge: elsewhere nothing wakes that function', () => {
  const enabledIn = (of: Template) => {
    const { id } = find(of, 'AWS::Lambda::Function', 'FunctionName', 'ads-dev-events-suggest-phrases');
    const { Properties } = resourcesOf(of, 'AWS::Lambda::EventSourceMapping').find(
      ({ Properties }) => Properties.FunctionName.Ref === id,
    )!;
    return Properties.Enabled ?? true;
  };
  expect(enabledIn(template)).toBe(false);
  expect(enabledIn(templateOf(CHOICES.bedrock))).toBe(true);
});

test.each(fromQueues)('$name takes up to ten messages of $source.queue at a time', ({ name, source }) => {
  const queue = find(template, 'AWS::SQS::Queue', 'QueueName', `ads-dev-${source.queue}`).id;
  expect(mapping(name, { 'Fn::GetAtt': [queue, 'Arn'] })).toMatchObject({
    BatchSize: 10,
    FunctionResponseTypes: ['ReportBatchItemFailures'],
    ScalingConfig: { MaximumConcurrency: 500 },
  });
});

test('the most deliveries at once can be chosen, and an owner’s part of them follows', () => {
  const chosen = templateOf(CHOICES.bedrock);
  const [{ Properties }] = resourcesOf(chosen, 'AWS::Lambda::EventSourceMapping').filter(
    ({ Properties }) => Properties.ScalingConfig,
  ) as [Resource];
  expect(Properties.ScalingConfig).toEqual({ MaximumConcurrency: 20 });
  const perOwner = (of: Template) =>
    find(of, 'AWS::Lambda::Function', 'FunctionName', 'ads-dev-events-deliver').Properties.Environment.Variables
      .WEBHOOK_CONCURRENCY_PER_OWNER;
  expect([perOwner(template), perOwner(chosen)]).toEqual(['62', '2']);
  expect(perOwner(templateOf(CHOICES.openai))).toBe('1');
});

test.each(timed)('$name is woken by the clock', ({ name, source }) => {
  const id = functionOf(name);
  const rules = resourcesOf(template, 'AWS::Events::Rule').map(({ Properties }) => Properties);
  const rule = rules.find(({ Targets }) => Targets[0].Arn['Fn::GetAtt'][0] === id);
  expect(rule).toMatchObject({ ScheduleExpression: source.schedule });
});

test('nothing else wakes anybody', () => {
  template.resourceCountIs('AWS::Lambda::EventSourceMapping', streams.length + fromQueues.length);
  template.resourceCountIs('AWS::Events::Rule', timed.length);
});
