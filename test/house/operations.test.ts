import { expect, it } from 'vitest';
import { endpointNames, endpointRow } from '../../shared/http/operations/endpoints.ts';
import { answering, getResponses } from '../../shared/http/operations/responses.ts';
import { wokenBy, workerNames, workerRow } from '../../shared/http/operations/workers.ts';
import { hasStream, tableNames } from '../../shared/platform/tables.ts';
import { files } from './sources.ts';

const names = [...endpointNames, ...workerNames].sort();

it('has one function and one fixture for every row of the table, and no others', () => {
  expect(
    files('functions/**/*.ts')
      .map((file) => file.slice('functions/'.length, -'.ts'.length))
      .sort(),
  ).toEqual(names);
  expect(
    files('events/**/*.json')
      .map((file) => file.slice('events/'.length, -'.json'.length))
      .sort(),
  ).toEqual(names);
});

it('has one row for every method of a path', () => {
  const routes = endpointNames.flatMap((name) =>
    endpointRow(name).methods.map((method) => `${method} ${endpointRow(name).path}`),
  );
  expect(new Set(routes).size).toBe(routes.length);
});

it('has a response schema for every row except `unmatched`, with a body unless the status is 204 or 302', () => {
  expect(endpointNames.filter((name) => name !== 'unmatched').sort()).toEqual([...answering].sort());
  const withoutBody = answering.filter((name) => !getResponses(name).body);
  for (const name of withoutBody) expect([204, 302], name).toContain(getResponses(name).status);
});

it('lists for every stream the workers whose rows name it', () => {
  const workersOn = (table: string) =>
    workerNames.filter((name) =>
      workerRow(name).sources.some((source) => 'stream' in source && source.stream === table),
    );
  expect(wokenBy).toEqual(Object.fromEntries(tableNames.filter(hasStream).map((table) => [table, workersOn(table)])));
});
