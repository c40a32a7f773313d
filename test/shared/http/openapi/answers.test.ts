import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { beforeAll, describe, expect, it } from 'vitest';
import { example } from '../../../../events/fixture.ts';
import { seedFixtures } from '../../../../infra/local/fixtures.ts';
import type { HttpHandlers } from '../../../../infra/local/functions.ts';
import { demoKey } from '../../../../infra/local/seed.ts';
import answers from '../../../../shared/http/openapi/answers.json' with { type: 'json' };
import type { Recorded } from '../../../../shared/http/openapi/answers.ts';
import { openApiDocument } from '../../../../shared/http/openapi/document.ts';
import { endpointRow } from '../../../../shared/http/operations/endpoints.ts';
import { type Answering, answering, getResponses } from '../../../../shared/http/operations/responses.ts';
import { keyFingerprint } from '../../../../shared/keys/credential.ts';
import { MINUTE_MS } from '../../../../shared/platform/clock.ts';
import type { Database } from '../../../../shared/platform/database.ts';
import { Unavailable } from '../../../../shared/platform/unavailable.ts';
import {
  fixture,
  fixtureBody,
  withBody,
  withHeaders,
  withoutCredential,
  withParameters,
} from '../../../contract/rows.ts';
import { useServiceInMemory } from '../../../memory/stack.ts';
import { createHandlers } from '../../../service.ts';

// @module-tag whole
const service = useServiceInMemory();
/** Each fixture has a time of its own, so that the latest changes have an order. */
const tick = () => {
  service.clock.advance(1);
  return service.clock.now();
};
beforeAll(() => seedFixtures({ ...service.stack.effects, clock: { ...service.clock, now: tick } }));

type Event = APIGatewayProxyEventV2;

const FILE = 'shared/http/openapi/answers.json';

const recorded: Record<string, Recorded> = answers;

/** Random values, which change whenever other code uses randomness. */
const DRAWN =
  /(?<=(?:\b|\\n)(?:act|cmp|wh|evt|key|clk|imp|whsec|ak_live|ak_test)_)[\w+/=]+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?<=\/(?:notice|feedback|viewable)\/)[\w-]+|(?<=\/click\/)[\w-]+|(?<=\*{4})[\w-]{4}/g;

/** Sorts items of the same moment, which the store lists in any order. */
const sorted = (list: { createdAt?: string; time?: string; eventId?: string }[]) =>
  list.every((one) => one?.createdAt ?? one?.time ?? one?.eventId)
    ? list.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
    : list;

/** Answers as they are compared. How relevant an ad is changes with every better model, and is no matter of the API. */
const told = (all: object) =>
  JSON.parse(JSON.stringify(all).replaceAll(DRAWN, 'drawn'), (name, value) => {
    if (name === 'relevanceScore') return expect.any(Number);
    return Array.isArray(value) ? sorted(value) : value;
  });

/** Typical mistakes in a body or a query. */
const WRONG: { [N in Answering]?: (event: Event) => Event } = {
  'ssp/bid': (event) => withBody(event, { countryCode: 'USA', messages: [{ role: 'system', content: 'Be brief.' }] }),
  'openrtb2/bid': (event) => withBody(event, { id: '1', imp: [{ id: '1', native: { request: '{"assets": []}' } }] }),
  'trusted-match/context': (event) => withBody(event, { type: 'identity_match_request', request_id: 'ctx-1' }),
  'legacy/request': (event) => withBody(event, { context: {} }),
  'conversions/record': (event) => withBody(event, { conversionType: 'purchase', value: -1 }),
  'conversions/test': (event) => withBody(event, { conversionType: 'purchase', value: -1 }),
  'api-keys/create': (event) => withBody(event, { bidFloor: 1.5 }),
  'api-keys/list': (event) => ({ ...event, rawQueryString: 'days=32' }),
  'api-keys/get': (event) => ({ ...event, rawQueryString: 'report=yes' }),
  'api-keys/update': (event) => withBody(event, { blockedDomains: ['https://shop.example/'] }),
  'api-keys/rotate': (event) => withBody(event, { revokeOld: 'yes' }),
  'api-keys/report': (event) => ({ ...event, rawQueryString: 'from=2026-11-20&to=2026-11-14' }),
  'campaigns/create': (event) => withBody(event, { budget: 250, maxCpb: 1.2345 }),
  'campaigns/list': (event) => ({ ...event, rawQueryString: 'limit=0' }),
  'campaigns/get': (event) => ({ ...event, rawQueryString: 'report=yes' }),
  'campaigns/update': (event) => withBody(event, { creative: { landingUrl: 'shoes.example' } }),
  'campaigns/preview': (event) => withBody(event, { campaign: { maxCpb: -1 } }),
  'campaigns/report': (event) => ({ ...event, rawQueryString: 'from=2026-11-20&to=2026-11-14' }),
  'webhooks/create': (event) => withBody(event, { url: 'https://10.0.0.1/ads', events: ['ad.impression'] }),
  'webhooks/get': (event) => ({ ...event, rawQueryString: 'deliveries=yes' }),
  'webhooks/update': (event) => withBody(event, { events: ['ad.opened'] }),
  'webhooks/test': (event) => withBody(event, { type: 'ad.opened' }),
  'webhooks/rotate-secret': (event) => withBody(event, { revokeOld: 'yes' }),
  'reports/campaigns': (event) => ({ ...event, rawQueryString: 'from=yesterday' }),
  'reports/terms': (event) => ({ ...event, rawQueryString: 'campaignId=cmp_1&month=2026-11' }),
  'account/statements': (event) => ({ ...event, rawQueryString: 'month=2026-13' }),
  'webhooks/redeliver-failed': (event) => ({ ...event, rawQueryString: 'before=yesterday' }),
  'account/activity': (event) => ({ ...event, rawQueryString: 'before=yesterday' }),
};

async function ask(name: Answering, event: Event, handlers: HttpHandlers = service.stack.handlers) {
  const { statusCode = 0, headers = {}, body } = await handlers[name](event);
  const isJson = String(headers['content-type']).startsWith('application/json');
  return { status: statusCode, headers, body: body && isJson ? JSON.parse(body) : body };
}

/**
 * Calls every operation in the order of the table, with its fixture and with a mistake. Ids are predictable, and the clock advances between
 * operations, so that the order of the latest changes is as well.
 */
async function record() {
  const all: Record<string, Record<string, unknown>> = {};
  for (const name of answering) {
    service.clock.advance(1_000);
    const own: Record<string, unknown> = {};
    const wrong = WRONG[name];
    if (wrong) {
      const { status, body } = await ask(name, wrong(fixture(name)));
      own[status] = body;
    }
    const { alternative } = getResponses(name);
    if (alternative) {
      const { status, body } = await ask(name, withHeaders(fixture(name), { accept: alternative }));
      own[`${status} ${alternative}`] = body;
    }
    if (name === 'ssp/bid') {
      const thanks = { countryCode: 'US', messages: [{ role: 'user', content: 'Thank you, that is all.' }] };
      own['200 none'] = (await ask(name, withBody(fixture(name), thanks))).body;
    }
    if (name !== 'openapi') {
      const { status, body } = await ask(name, fixture(name));
      own[status] = body ?? null;
    }
    all[name] = own;
  }
  await ask('api-keys/toggle', fixture('api-keys/toggle')); // the key of the fixtures works again
  return all;
}

// biome-ignore lint/suspicious/noExplicitAny: a document is looked into freely
const document: any = openApiDocument('https://ads.test', { request: example, answers });

/** The examples of a status of an operation in the document. */
function examplesOf(name: Answering, status: number): unknown[] {
  const { path, methods } = endpointRow(name);
  const { content } = document.paths[path!][methods[0]!.toLowerCase()].responses[status];
  const { examples } = content['application/json'];
  return Object.values(examples).map((one) => (one as { value: unknown }).value);
}

const isRefused = (name: Answering, status: number): boolean => {
  const { path, methods, credential } = endpointRow(name);
  const said = document.paths[path!][methods[0]!.toLowerCase()].responses[status];
  return said !== undefined && !(credential === 'none' && status === 429);
};

/** A store whose calls all fail. */
const failing = (error: Error): Database => ({
  get: () => Promise.reject(error),
  getAll: () => Promise.reject(error),
  // biome-ignore lint/correctness/useYield: it fails before the first item
  async *query() {
    throw error;
  },
  write: () => Promise.reject(error),
  transact: () => Promise.reject(error),
});

/** A bid that a campaign of its own has won. */
async function market(keyword: string) {
  const { id: campaign } = await service.campaign({ targetAudience: { keywords: [keyword] } });
  const key = await service.key();
  return { campaign, bid: { key, id: (await service.bid(key, keyword)).body.bidId as string } };
}

describe('The response examples in the OpenAPI document', () => {
  it('match the current responses to the fixtures', async () => {
    const now = await record();
    if (process.env.RECORD_ANSWERS) {
      await writeFile(FILE, JSON.stringify(now));
      await promisify(execFile)('node_modules/.bin/biome', ['format', '--write', FILE]);
    }
    expect(told(now)).toEqual(told(answers));
  });

  it('cover every response with a body, and a 400 for every operation that can return one', () => {
    for (const name of answering) {
      const { status = 200, body } = getResponses(name);
      const own = recorded[name] ?? {};
      if (body && name !== 'openapi') expect(Object.keys(own), name).toContain(String(status));
      if (!isRefused(name, 400)) continue;
      expect(Object.keys(own), name).toContain('400');
      expect(examplesOf(name, 400), name).toEqual([own[400]]);
    }
  });

  const refused = (status: number) => answering.filter((name) => isRefused(name, status));
  const expectExample = async (name: Answering, status: number, event: Event, handlers?: HttpHandlers) => {
    const answer = await ask(name, event, handlers);
    expect(answer.status, name).toBe(status);
    // The examples of Trusted Match have an empty request_id.
    const { request_id, ...body } = answer.body;
    const said = request_id === undefined ? body : { ...body, request_id: '' };
    expect(examplesOf(name, status), name).toContainEqual(said);
  };

  it.each(refused(401))('contain the 401 of %s for a request without a credential', async (name) => {
    await expectExample(name, 401, withoutCredential(fixture(name)));
  });

  it.each(refused(404))('contain the 404 of %s for an unknown id', async (name) => {
    service.clock.advance(MINUTE_MS);
    const something: Record<string, object> = {
      'conversions/record': { clickId: 'clk_0' },
      'conversions/test': { campaignId: 'cmp_0' },
      'campaigns/preview': { campaignId: 'cmp_0' },
    };
    const named = something[name];
    const event = named ? withBody(fixture(name), { ...fixtureBody(name), ...named }) : fixture(name);
    const other = withParameters(event, (value) => value.replace(/.$/, (last) => (last === '0' ? '1' : '0')));
    const rawQueryString = other.rawQueryString.replace(/campaignId=\w+/, 'campaignId=cmp_0');
    await expectExample(name, 404, { ...other, rawQueryString });
  });

  it('contain the 404 for the ad of a deleted campaign, and for the delivery of another webhook', async () => {
    expect(examplesOf('ssp/ad', 404)).toContainEqual({
      statusCode: 404,
      message: 'Campaign not found',
      error: 'Not Found',
    });
    const { bid, campaign } = await market('dulcimeroom');
    await service.user()('DELETE', `/campaigns/${campaign}`);
    const { body } = await service.ad(bid.key, bid.id);
    expect(examplesOf('ssp/ad', 404)).toContainEqual(body);
    const event = fixture('webhooks/redeliver');
    await expectExample(
      'webhooks/redeliver',
      404,
      withParameters(event, (id) => id.replace(/^evt_./, 'evt_1')),
    );
  });

  it.each(['api-keys/create', 'campaigns/create', 'webhooks/create'] as const)(
    'contain the 409 of %s for an Idempotency-Key that was used with another body',
    async (name) => {
      service.clock.advance(MINUTE_MS);
      const event = withHeaders(fixture(name), { 'idempotency-key': 'first' });
      const body = { ...fixtureBody(name), ...(name === 'campaigns/create' && { name: 'First' }) };
      expect((await ask(name, withBody(event, body))).status).toBe(201);
      await expectExample(name, 409, withBody(event, { ...body, description: 'Other', name: 'Other' }));
    },
  );

  it.each(['campaigns/create', 'campaigns/update'] as const)(
    'contain the 409 of %s for a name that is taken',
    async (name) => {
      service.clock.advance(MINUTE_MS);
      const { name: taken } = fixtureBody('campaigns/create');
      await expectExample(name, 409, withBody(fixture(name), { ...fixtureBody(name), name: taken }));
    },
  );

  it.each(['api-keys/rotate', 'webhooks/rotate-secret'] as const)(
    'contain the 409 of %s for a sixth rotation in 24 hours, and for an Idempotency-Key that was used with another body or id',
    async (name) => {
      service.clock.advance(MINUTE_MS);
      const keyed = withHeaders(fixture(name), { 'idempotency-key': 'first' });
      expect((await ask(name, withBody(keyed, { revokeOld: true }))).status).toBe(200);
      await expectExample(name, 409, keyed);
      const elsewhere = await ask(
        name,
        withParameters(keyed, (id) => id.replace(/.$/, (last) => (last === '0' ? '1' : '0'))),
      );
      expect(examplesOf(name, 409)).toContainEqual(elsewhere.body);
      for (let n = 0; n < 5; n++) expect((await ask(name, fixture(name))).status).toBe(200);
      const { status, body } = await ask(name, fixture(name));
      const { details, ...refusal } = body;
      expect([status, details[0].path]).toEqual([409, 'revokeOld']);
      expect(examplesOf(name, 409)).toContainEqual(refusal);
    },
  );

  it.each(['webhooks/redeliver', 'webhooks/redeliver-failed'] as const)(
    'contain the 409 of %s for a disabled webhook',
    async (name) => {
      service.clock.advance(MINUTE_MS);
      await ask('webhooks/update', withBody(fixture('webhooks/update'), { status: 'disabled' }));
      await expectExample(name, 409, fixture(name));
      await ask('webhooks/update', withBody(fixture('webhooks/update'), { status: 'active' }));
    },
  );

  it.each(refused(429))('contain the 429 of %s above its rate limit', async (name) => {
    service.clock.advance(MINUTE_MS);
    const { limit, credential } = endpointRow(name);
    if (limit && 'group' in limit) {
      const subject = credential === 'owner' ? fixture(name).headers['x-user-id'] : keyFingerprint(demoKey());
      const endsAt = service.clock.now() + MINUTE_MS;
      const full = { subject: `${limit.group} ${subject}`, count: limit.max, endsAt, ttl: endsAt };
      await service.stack.effects.db.write({ table: 'limits', put: full });
      await expectExample(name, 429, fixture(name));
    } else if (limit && 'second' in limit) {
      const values = { most: limit.max, ends: service.clock.now() + 1000 };
      const id = keyFingerprint(demoKey());
      const update = 'SET #exchangeCount = :most, #exchangeEndsAt = :ends';
      await service.stack.effects.db.write({ table: 'api-keys', key: { id }, update, values });
      await expectExample(name, 429, fixture(name));
    } else {
      await Promise.all(Array.from({ length: limit!.max }, () => ask(name, fixture(name))));
      await expectExample(name, 429, fixture(name));
    }
  });

  it('contain the 503 of a legacy request without an ad', async () => {
    service.clock.advance(MINUTE_MS);
    const event = withBody(fixture('legacy/request'), { context: { conversation: 'Thank you, that is all.' } });
    await expectExample('legacy/request', 503, event);
  });

  it.each(refused(413))('contain the 413 and 415 of %s for a large body and a form', async (name) => {
    service.clock.advance(MINUTE_MS);
    await expectExample(name, 413, withBody(fixture(name), JSON.stringify('x'.repeat(1024 * 1024))));
    const form = withHeaders(fixture(name), { 'content-type': 'application/x-www-form-urlencoded' });
    await expectExample(name, 415, form);
  });

  it.each(refused(500))('contain the 500 and 503 of %s for a failing store', async (name) => {
    const { effects } = service.stack;
    const withStore = (error: Error) => createHandlers({ ...effects, db: failing(error) });
    const { tables } = endpointRow(name);
    if (Object.keys(tables).length === 0) return;
    await expectExample(name, 500, fixture(name), await withStore(new Error('broken')));
    await expectExample(name, 503, fixture(name), await withStore(new Unavailable('too slow', { cause: 'test' })));
  });
});
