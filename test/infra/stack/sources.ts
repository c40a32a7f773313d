import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import type { Source } from '../../../shared/http/operations/rows.ts';
import { workerNames, workerRow } from '../../../shared/http/operations/workers.ts';
import { CHOICES, find, functionOf, type Resource, resourcesOf, templateOf } from './template.ts';

const dev = templateOf(CHOICES.dev);

const sourcesOf = <S extends string>(kind: S) =>
  workerNames.flatMap((name) =>
    workerRow(name)
      .sources.filter((source): source is Extract<Source, Record<S, unknown>> => kind in source)
      .map((source) => ({ name, source })),
  );
const streams = sourcesOf('stream');
const fromQueues = sourcesOf('queue');
const timed = sourcesOf('schedule');

describe.each(['dev', 'prod'] as const)('In %s', (stage) => {
  const template = templateOf(CHOICES[stage]);
  const mappings = resourcesOf(template, 'AWS::Lambda::EventSourceMapping').map(({ Properties }) => Properties);
  const mappingOf = (name: string, EventSourceArn: object) => {
    const FunctionName = { Ref: functionOf(template, stage, name).id };
    const found = mappings.filter(
      (one) =>
        JSON.stringify([one.FunctionName, one.EventSourceArn]) === JSON.stringify([FunctionName, EventSourceArn]),
    );
    expect(found).toHaveLength(1);
    return { ...found[0], FunctionName: name, EventSourceArn: undefined };
  };

  // Compare all properties: without a limit of attempts or record age, a stream is retried until records expire.
  test.each(streams)(
    'the stream of $source.stream invokes $name with the settings of its row, and drops no record',
    ({ name, source }) => {
      const { stream, filters, batch = 100, gatherSeconds, windowSeconds, parallel = 1 } = source;
      const table = find(template, 'AWS::DynamoDB::GlobalTable', 'TableName', `ads-${stage}-${stream}`).id;
      expect(mappingOf(name, { 'Fn::GetAtt': [table, 'StreamArn'] })).toEqual({
        FunctionName: name,
        StartingPosition: 'TRIM_HORIZON',
        BatchSize: batch,
        MaximumBatchingWindowInSeconds: gatherSeconds,
        TumblingWindowInSeconds: windowSeconds,
        ParallelizationFactor: parallel,
        BisectBatchOnFunctionError: true,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        FilterCriteria: filters && { Filters: filters.map((filter) => ({ Pattern: JSON.stringify(filter) })) },
        Enabled: workerRow(name).judge ? false : undefined,
      });
    },
  );

  test.each(fromQueues)('$name receives up to ten messages of $source.queue at a time', ({ name, source }) => {
    const queue = find(template, 'AWS::SQS::Queue', 'QueueName', `ads-${stage}-${source.queue}`).id;
    expect(mappingOf(name, { 'Fn::GetAtt': [queue, 'Arn'] })).toEqual({
      FunctionName: name,
      BatchSize: 10,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 500 },
    });
  });

  test.each(timed)('a schedule invokes $name: $source.schedule', ({ name, source }) => {
    const Arn = { 'Fn::GetAtt': [functionOf(template, stage, name).id, 'Arn'] };
    const rules = resourcesOf(template, 'AWS::Events::Rule').filter(
      ({ Properties }) => JSON.stringify(Properties.Targets[0].Arn) === JSON.stringify(Arn),
    );
    expect(rules.map(({ Properties }) => Properties)).toEqual([
      { ScheduleExpression: source.schedule, State: 'ENABLED', Targets: [{ Arn, Id: 'Target0' }] },
    ]);
    const permissions = resourcesOf(template, 'AWS::Lambda::Permission').map(({ Properties }) => Properties);
    expect(permissions).toContainEqual({
      Action: 'lambda:InvokeFunction',
      FunctionName: Arn,
      Principal: 'events.amazonaws.com',
      SourceArn: { 'Fn::GetAtt': [rules[0]!.id, 'Arn'] },
    });
  });

  test('no other source invokes a function', () => {
    template.resourceCountIs('AWS::Lambda::EventSourceMapping', streams.length + fromQueues.length);
    const scheduled = resourcesOf(template, 'AWS::Events::Rule').filter(({ Properties }) => !Properties.EventPattern);
    expect(scheduled).toHaveLength(timed.length);
  });
});

test('counting processes one batch of a shard at a time and gets the shard id; fan-out processes two', () => {
  const of = (worker: string) => streams.filter(({ name }) => name === worker).map(({ source }) => source);
  expect(of('events/count').map(({ parallel, windowSeconds }) => [parallel, windowSeconds])).toEqual([
    [undefined, 900],
    [undefined, 900],
  ]);
  expect(of('events/fan-out').map(({ parallel }) => parallel)).toEqual([2, 2, 2, 2, 2]);
});

test('only stages with a judge invoke the function that suggests phrases', () => {
  const enabledIn = (template: Template) => {
    const { id } = functionOf(template, 'dev', 'events/suggest-phrases');
    const { Properties } = resourcesOf(template, 'AWS::Lambda::EventSourceMapping').find(
      ({ Properties }) => Properties.FunctionName.Ref === id,
    )!;
    return Properties.Enabled ?? true;
  };
  expect(enabledIn(dev)).toBe(false);
  expect(enabledIn(templateOf(CHOICES.bedrock))).toBe(true);
});

test('a setting limits concurrent deliveries, and each owner gets an eighth of them', () => {
  const chosen = templateOf(CHOICES.bedrock);
  const [{ Properties }] = resourcesOf(chosen, 'AWS::Lambda::EventSourceMapping').filter(
    ({ Properties }) => Properties.ScalingConfig,
  ) as [Resource];
  expect(Properties.ScalingConfig).toEqual({ MaximumConcurrency: 20 });
  const perOwner = (template: Template) =>
    functionOf(template, 'dev', 'events/deliver').Properties.Environment.Variables.WEBHOOK_CONCURRENCY_PER_OWNER;
  expect([perOwner(dev), perOwner(chosen)]).toEqual(['62', '2']);
  expect(perOwner(templateOf(CHOICES.openai))).toBe('1');
});
