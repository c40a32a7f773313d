import { expect, test } from 'vitest';
import { type Source, type WorkerName, workerNames, workerRow } from '../../shared/endpoints.ts';
import { find, resourcesOf, templateOf } from './template.ts';

const template = templateOf({ stage: 'dev' });
const functionOf = (name: WorkerName) =>
  find(template, 'AWS::Lambda::Function', 'FunctionName', `ads-dev-${name.replaceAll('/', '-')}`).id;

const fedNames = workerNames.filter((name) => 'stream' in workerRow(name).source);

test.each(fedNames)('%s is fed from its stream and gives up no record', (name) => {
  const sources = resourcesOf(template, 'AWS::Lambda::EventSourceMapping');
  const source = sources.find(({ Properties }) => Properties.FunctionName.Ref === functionOf(name))!.Properties;
  const { stream, filters = [] } = workerRow(name).source as Extract<Source, { stream: unknown }>;
  expect(source).toMatchObject({
    EventSourceArn: {
      'Fn::GetAtt': [find(template, 'AWS::DynamoDB::GlobalTable', 'TableName', `ads-dev-${stream}`).id, 'StreamArn'],
    },
    StartingPosition: 'TRIM_HORIZON',
    BisectBatchOnFunctionError: true,
    FunctionResponseTypes: ['ReportBatchItemFailures'],
  });
  // Absent, these are "for ever".
  expect(source.MaximumRetryAttempts ?? -1).toBe(-1);
  expect(source.MaximumRecordAgeInSeconds ?? -1).toBe(-1);
  const patterns = (source.FilterCriteria?.Filters ?? []).map(({ Pattern }: { Pattern: string }) =>
    JSON.parse(Pattern),
  );
  expect(patterns).toEqual(filters);
});

const timedNames = workerNames.filter((name) => 'schedule' in workerRow(name).source);

test.each(timedNames)('%s is woken by the clock, and may take its time', (name) => {
  const id = functionOf(name);
  const rules = resourcesOf(template, 'AWS::Events::Rule').map(({ Properties }) => Properties);
  const rule = rules.find(({ Targets }) => Targets[0].Arn['Fn::GetAtt'][0] === id);
  expect(rule).toMatchObject({ ScheduleExpression: (workerRow(name).source as { schedule: string }).schedule });
  expect(template.toJSON().Resources[id].Properties.Timeout).toBe(300);
});

test('nothing else wakes anybody', () => {
  template.resourceCountIs('AWS::Lambda::EventSourceMapping', fedNames.length);
  template.resourceCountIs('AWS::Events::Rule', timedNames.length);
});
