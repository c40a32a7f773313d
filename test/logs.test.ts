import { describe, expect, it } from 'vitest';
import { seedFixtures } from '../infra/local/fixtures.ts';
import { endpointNames, endpointRow } from '../shared/http/operations/endpoints.ts';
import { getInput } from '../shared/http/operations/inputs.ts';
import type { Database } from '../shared/platform/database.ts';
import { Unavailable } from '../shared/platform/unavailable.ts';
import { fixture, fixtureBody, send, withBody, withHeaders, withKey } from './contract/rows.ts';
import { useServiceInMemory } from './memory/stack.ts';
import { scaleRuns } from './run-size.ts';
import { createCaller, createHandlers } from './service.ts';

// @module-tag whole
const service = useServiceInMemory();
const LINES = scaleRuns(10_000);
/** Rounds through every operation, with a working store and with each failing one. Operations open to anyone fill the remaining lines. */
const ROUNDS = Math.max(5, scaleRuns(10));
const CONCURRENCY = 25;

/** Text that must never appear in a log, planted in every field that accepts it. Keys are planted too. */
const PLANTED_TEXT = 'Plantedsecrettext, my divorce is on Monday';
const PERSON = 'planted.person@example.com';
const PHONE = '+1 555 867 5309';
const ADDRESSES = ['198.51.100.77', '2001:db8:1234:5678:9abc:def0:1234:5678'];
const NEVER = /plantedsecret|divorce|planted\.person|867 5309|198\.51\.100\.77|5678:9abc|whsec_[\w+/]/i;
const keys: string[] = [];

const conversation = `${PLANTED_TEXT}. Write to ${PERSON} or ${PHONE}. Which running shoes should I buy?`;

/** A visitor whose headers all contain planted text. */
function visitor(at: number) {
  const key = keys[at % keys.length]!;
  const query = `api_key=${key}&userId=${encodeURIComponent(PERSON)}&sessionId=${encodeURIComponent(PLANTED_TEXT)}`;
  const headers = {
    // The page's path is logged, so only a key is planted there.
    referer: `https://reader:${key}@chat.example/c/${key}?api_key=${key}&q=${PERSON}#${encodeURIComponent(PLANTED_TEXT)}`,
    'user-agent': at % 3 ? `Reader/1 ${key}` : `Slackbot 1.0 ${key}`,
    'x-forwarded-for': ADDRESSES[0]!,
    cookie: `session=${key}`,
    'x-debug': 'true',
  };
  return { key, query, headers, sourceIp: ADDRESSES[at % 2]! };
}

type Handlers = typeof service.stack.handlers;

/** Calls the legacy and SSP APIs from the request to the conversion, with valid and invalid calls. Returns a legacy ad's id. */
async function sendAdFlow(at: number, handlers: Handlers): Promise<string> {
  const { key, query, headers, sourceIp } = visitor(at);
  const send = createCaller(() => handlers);
  const keyed = { ...headers, 'x-api-key': key };
  const call = (method: string, path: string, more: object = {}) =>
    send(method, `/api/v1${path}`, { headers: keyed, sourceIp, ...more });
  const plantedId = encodeURIComponent(PLANTED_TEXT);
  const context = {
    conversation,
    userQuery: PLANTED_TEXT,
    metadata: { userId: PERSON, sessionId: PLANTED_TEXT, userAgent: key },
  };
  const adId = (await call('POST', '/ad-serving/request', { body: { context } })).body.ads?.[0]?.id ?? plantedId;
  await call('GET', `/ad-serving/impression/${adId}`, { query });
  const { clickId = PLANTED_TEXT } = (await call('GET', `/ad-serving/click/${adId}`, { query })).body;
  const body = { countryCode: 'US', messages: [{ role: 'user', content: conversation }] };
  const { bidId = plantedId } = (await call('POST', '/ssp/bid', { body })).body ?? {};
  await call('GET', `/ssp/ad/${bidId}`);
  await call('GET', `/ssp/ad/${plantedId}`);
  const conversion = { clickId, conversionType: PLANTED_TEXT, conversionId: `${PERSON} ${at}` };
  await call('POST', '/conversions', { headers: { ...headers, 'x-user-id': 'alice' }, body: conversion });
  await call('POST', '/ad-serving/request', { body: { context: { conversation: 7, userQuery: conversation } } });
  const json = { ...keyed, 'content-type': 'application/json' };
  await call('POST', '/ad-serving/request', { body: `{"context": {"conversation": "${conversation}`, headers: json });
  await call('GET', `/${plantedId}/${key}`, { query });
  return adId;
}

/** Sends every operation's fixture once, with planted headers, key, and body. */
async function sendEveryFixture(at: number, handlers: Handlers): Promise<void> {
  const { key, headers, sourceIp } = visitor(at);
  for (const name of endpointNames) {
    const { credential } = endpointRow(name);
    const { body } = getInput(name);
    const event = withKey(fixture(name), key);
    const { requestContext } = event;
    const from = { ...event, requestContext: { ...requestContext, http: { ...requestContext.http, sourceIp } } };
    const planted = withHeaders(from, { ...headers, ...(credential === 'owner' ? { 'x-user-id': `user-${at}` } : {}) });
    const full = body ? withBody(planted, { ...fixtureBody(name), description: conversation, secret: key }) : planted;
    await send(handlers, name, full);
  }
}

/** Makes calls without a rate limit: a visit, a wrong key, and a failing store. */
async function sendUnlimited(at: number, adId: string, failing: Handlers): Promise<void> {
  const { key, query, headers, sourceIp } = visitor(at);
  const wrong = { headers: { ...headers, authorization: `Bearer ${key}x` }, sourceIp };
  await service.call('GET', `/api/v1/click/${adId}`, { headers, sourceIp, query });
  await service.call('POST', '/api/v1/ad-serving/request', { ...wrong, body: { context: { conversation } } });
  await createCaller(() => failing)('GET', `/api/v1/click/${adId}`, { headers, sourceIp });
}

describe(`${LINES} lines of the log`, () => {
  it('contain no key, full address, or conversation text, whatever succeeds or fails', async () => {
    const { effects, handlers } = service.stack;
    await seedFixtures(effects);
    await service.campaign({ budget: 1_000 });
    for (const mode of ['live', 'live', 'test']) keys.push(await service.key({ mode }));
    const failingWith = (error: Error): Promise<Handlers> => {
      const refuse = () => Promise.reject(error);
      const db: Database = { ...effects.db, write: refuse, get: refuse, getAll: refuse, transact: refuse };
      return createHandlers({ ...effects, db });
    };
    const down = await failingWith(new Unavailable('no', { cause: new Error('why') }));
    const faulty = await failingWith(new TypeError('no such thing'));

    const { lines } = service;
    let adId = '';
    for (let at = 0; at < ROUNDS; at++) {
      const which = at % 5 === 3 ? down : at % 5 === 4 ? faulty : handlers;
      const id = await sendAdFlow(at, which);
      if (id.length === 36) adId = id;
      await sendEveryFixture(at, which);
      service.clock.advance(1_001);
    }
    await service.stack.drain();
    await service.stack.runSchedules();
    for (let at = 0; lines.length < LINES; at += CONCURRENCY) {
      const some = Array.from({ length: CONCURRENCY }, (_, i) => sendUnlimited(at + i, adId, i % 2 ? down : faulty));
      await Promise.all(some);
    }

    const parsed = lines.map((line) => JSON.parse(line));
    const operations = new Set(parsed.map(({ operation }) => operation));
    expect(endpointNames.filter((name) => !operations.has(name))).toEqual([]);
    const statuses = new Set(parsed.map(({ status }) => status));
    expect([200, 201, 302, 400, 401, 404, 500, 503].filter((status) => !statuses.has(status))).toEqual([]);
    const leaks = lines.filter((line) => NEVER.test(line) || keys.some((key) => line.includes(key)));
    expect(leaks.slice(0, 3)).toEqual([]);
    for (const cut of ['198.51.100.0', '2001:db8:1234::']) expect(lines.some((line) => line.includes(cut))).toBe(true);
  });
});
