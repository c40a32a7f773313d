import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { seedFixtures } from '../infra/local/fixtures.ts';
import { endpointNames } from '../shared/http/operations/endpoints.ts';
import { workerNames, workerRow } from '../shared/http/operations/workers.ts';
import { lambdaHandler } from '../shared/http/runtimes/lambda.ts';
import { useServiceInMemory } from './memory/stack.ts';

// @module-tag whole
const service = useServiceInMemory();
beforeAll(() => seedFixtures(service.stack.effects));

const fixture = (name: string) => JSON.parse(readFileSync(`events/${name}.json`, 'utf8'));
const STATUS: Record<string, number> = {
  'api-keys/create': 201,
  'campaigns/create': 201,
  'conversions/record': 201,
  'webhooks/create': 201,
  'click/redirect': 302,
  'trusted-match/click': 302,
  'openrtb2/notice': 204,
  'feedback/record': 204,
  'viewable/record': 204,
  unmatched: 404,
};

describe('Every fixture is processed by its handler', () => {
  it.each(endpointNames)('%s', async (name) => {
    const { statusCode } = await lambdaHandler(name, service.stack.apps[name])(fixture(name));
    expect(statusCode).toBe(STATUS[name] ?? 200);
  });

  it.each(workerNames)('%s', async (name) => {
    const fed = workerRow(name).sources.some((source) => !('schedule' in source));
    expect(await service.stack.workers[name](fixture(name))).toEqual(fed ? { batchItemFailures: [] } : undefined);
  });
});
