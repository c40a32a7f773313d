import { beforeEach, describe, expect, it } from 'vitest';
import { toPublisherId } from '../../shared/keys/publisher-id.ts';
import { createSecretReader } from '../../shared/platform/service-secret.ts';
import { useServiceInMemory } from '../memory/stack.ts';
import { imp, toExt } from './openrtb2/exchange.ts';
import { contextMatchRequest, SELLER } from './trusted-match/request.ts';

// @module-tag whole
const service = useServiceInMemory();
beforeEach(() => service.clock.advance(1_000));

const getPublisherId = async (keyId: string, advertiser = 'alice') =>
  toPublisherId(await createSecretReader(service.stack.effects)(), advertiser, keyId);

const createKey = async (settings: object = {}) =>
  (await service.user('publisher')('POST', '/auth/api-keys', { name: 'Chat', ...settings })).body;
const change = (id: string, body: object) => service.user()('PATCH', `/campaigns/${id}`, body);

/** Asks for an ad about a word in each protocol. */
const protocols: Record<string, (word: string) => [path: string, body: object]> = {
  'the SSP API': (word) => [
    '/api/v1/ssp/bid',
    { countryCode: 'US', messages: [{ role: 'user', content: `Where do I buy a ${word}?` }] },
  ],
  'the SSP API in a named conversation': (word) => [
    '/api/v1/ssp/bid',
    {
      countryCode: 'US',
      conversation: { id: word },
      messages: [{ role: 'user', content: `Where do I buy a ${word}?` }],
    },
  ],
  OpenRTB: (word) => ['/api/v1/openrtb2/bid', { id: '1', imp: [imp()], ext: toExt(`Where do I buy a ${word}?`) }],
  'Trusted Match': (word) => [
    '/api/v1/trusted-match/context',
    contextMatchRequest({ keywords: [word], summary: `Where to buy a ${word}` }),
  ],
  'the legacy API': (word) => [
    '/api/v1/ad-serving/request',
    { context: { conversation: `Where do I buy a ${word}?`, userQuery: `Where do I buy a ${word}?` } },
  ],
};

describe('A campaign that excludes a publisher', () => {
  it.each(Object.keys(protocols))('gets no bid from its key in %s, and the key learns why', async (protocol) => {
    const word = `zither${'abcdefghij'[Object.keys(protocols).indexOf(protocol)]}`;
    const campaign = await service.campaign({ name: word, targetAudience: { keywords: [word] } });
    const [excluded, other] = [
      await createKey({ sellerAgentUrl: SELLER }),
      await createKey({ sellerAgentUrl: SELLER }),
    ];
    const ask = async ({ key }: { key: string }): Promise<string> => {
      service.clock.advance(60_000);
      const [path, body] = protocols[protocol]!(word);
      const answer = await service.call('POST', path, { headers: { 'x-api-key': key, 'x-debug': 'true' }, body });
      const debug = answer.body?.debug ?? JSON.parse(answer.headers['x-debug-info'] ?? '{}');
      return JSON.stringify([answer.body, debug]);
    };
    const excludedPublishers = [await getPublisherId(excluded.id)];
    expect((await change(campaign.id, { excludedPublishers })).body).toMatchObject({ excludedPublishers });
    expect(await ask(excluded)).toMatch(/"outcome":"excluded_publisher"/);
    expect(await ask(excluded)).toMatch(/"reason":"excluded_publisher"/);
    expect(await ask(other)).toMatch(/"outcome":"won"/);
    await change(campaign.id, { excludedPublishers: null });
    expect(await ask(excluded)).toMatch(/"outcome":"won"/);
  });

  it('counts the reason in the report of the key', async () => {
    const campaign = await service.campaign({ name: 'Counted', targetAudience: { keywords: ['lyre'] } });
    const { id, key } = await createKey();
    await change(campaign.id, { excludedPublishers: [await getPublisherId(id)] });
    const body = { countryCode: 'US', messages: [{ role: 'user', content: 'Where do I buy a lyre?' }] };
    for (let minute = 0; minute < 2; minute++) {
      service.clock.advance(60_000);
      expect((await service.call('POST', '/api/v1/ssp/bid', { headers: { 'x-api-key': key }, body })).body).toBeNull();
    }
    const [day] = (await service.user('publisher')('GET', `/auth/api-keys/${id}/report`)).body.slice(-1);
    expect(day.approximateNoBids.excluded_publisher).toBeGreaterThan(0);
  });

  it.each([
    ['no list', 'pub_7F3KQ2M9XW4A'],
    ['a key ID', [`key_${'0'.repeat(32)}`]],
    ['a pseudonym', ['Publisher 7F3K-Q2']],
    ['101 publishers', Array.from({ length: 101 }, (_, at) => `pub_${String(at).padStart(12, '0')}`)],
  ])('rejects %s', async (_, excludedPublishers) => {
    const { status, body } = await service.user()('POST', '/campaigns', { name: 'Wrong', excludedPublishers });
    expect([status, body.message]).toEqual([
      400,
      expect.stringMatching(/^excludedPublishers must be a list of at most 100/),
    ]);
  });

  it('stores each publisher once, and takes 100', async () => {
    const ids = Array.from({ length: 100 }, (_, at) => `pub_${String(at).padStart(12, '0')}`);
    const { id } = await service.campaign({ name: 'Many' });
    expect((await change(id, { excludedPublishers: [...ids.slice(1), ids[5], ids[6]].slice(0, 100) })).status).toBe(
      200,
    );
    expect((await change(id, { excludedPublishers: ids })).body.excludedPublishers).toEqual(ids);
    expect((await change(id, { excludedPublishers: [ids[0], ids[0]] })).body.excludedPublishers).toEqual([ids[0]]);
  });
});

describe('The ID of a publisher', () => {
  it('differs by advertiser and by key, and stays the same', async () => {
    const [one, other] = [await createKey(), await createKey()];
    const id = await getPublisherId(one.id);
    expect(id).toBe(await getPublisherId(one.id));
    expect(new Set([id, await getPublisherId(one.id, 'bob'), await getPublisherId(other.id)]).size).toBe(3);
  });

  it('is the same on instances that create the secret at the same time', async () => {
    const { effects } = service.stack;
    await effects.db.write({ table: 'conversations', key: { conversation: '#secret' }, remove: true });
    const secrets = await Promise.all(Array.from({ length: 5 }, () => createSecretReader(effects)()));
    expect(new Set(secrets).size).toBe(1);
  });
});
