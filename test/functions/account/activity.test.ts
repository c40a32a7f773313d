import { describe, expect, it } from 'vitest';
import { useServiceInMemory } from '../../memory/stack.ts';
import { runningShoes } from '../../service.ts';

// @module-tag whole
const service = useServiceInMemory();
const DAY_MS = 24 * 60 * 60 * 1000;

let users = 0;
/** A new user, and the requests and the activity of that user. A minute later, so that no rate limit is reached. */
function someone() {
  service.clock.advance(61_000);
  const userId = `user-${++users}`;
  const ask = service.user(userId);
  const list = async (query = '') => (await service.call('GET', '/api/v1/activity', asking(userId, query))).body;
  return { userId, ask, list, entries: async (query = '') => (await list(query)).entries };
}
const asking = (userId: string, query = '') => ({ headers: { 'x-user-id': userId }, query });

/** What entries say, without ids and times. */
const told = (entries: { action: string; changes: object[] }[]) =>
  entries.map(({ action, changes }) => [action, ...changes]);

describe('The activity of a user', () => {
  it('has one entry for each change of a key, with what it replaced', async () => {
    const { userId, ask, entries } = someone();
    const { id, key } = (await ask('POST', '/auth/api-keys', { name: 'Bot', bidFloor: 0.5 })).body;
    const path = `/auth/api-keys/${id}`;
    const change = { name: 'Big bot', bidFloor: 2, judge: false, blockedDomains: ['a.example', 'b.example'] };
    await ask('PATCH', path, change);
    await ask('PATCH', path, { blockedDomains: ['b.example', 'c.example'], adStrictness: 'strict' });
    await ask('PATCH', path, { adStrictness: null });
    await ask('PATCH', `${path}/toggle`);
    const rotated = (await ask('POST', `${path}/rotate`)).body.key;
    const revoked = (await ask('POST', `${path}/rotate`, { revokeOld: true })).body.key;
    await ask('DELETE', path);

    const all = await entries();
    expect(told(all)).toEqual([
      ['deleted'],
      ['rotated', { field: 'revokeOld', before: null, after: true }],
      ['rotated'],
      ['updated', { field: 'isActive', before: true, after: false }],
      ['updated', { field: 'adStrictness', before: 'strict', after: 'balanced' }],
      [
        'updated',
        { field: 'blockedDomains', added: ['c.example'], removed: ['a.example'] },
        { field: 'adStrictness', before: 'balanced', after: 'strict' },
      ],
      [
        'updated',
        { field: 'name', before: 'Bot', after: 'Big bot' },
        { field: 'bidFloor', before: 0.5, after: 2 },
        { field: 'judge', before: true, after: false },
        { field: 'blockedDomains', added: ['a.example', 'b.example'], removed: [] },
      ],
      [
        'created',
        { field: 'bidFloor', before: null, after: 0.5 },
        { field: 'name', before: null, after: 'Bot' },
        { field: 'mode', before: null, after: 'live' },
      ],
    ]);
    for (const entry of all) expect(entry).toMatchObject({ subject: id, actor: 'user', userId, reason: null });
    expect(all.map(({ name }: { name: string }) => name)).toEqual([...Array(7).fill('Big bot'), 'Bot']);
    for (const secret of [key, rotated, revoked])
      expect(JSON.stringify(all)).not.toContain(secret.slice('ak_live_'.length, -4));
  });

  it('has one entry for each change of a campaign', async () => {
    const { ask, entries } = someone();
    const targetAudience = { keywords: ['running shoes', 'sneakers'], countries: ['US'] };
    const { id } = (await ask('POST', '/campaigns', { name: 'Shoes', budget: 100, targetAudience })).body;
    const path = `/campaigns/${id}`;
    await ask('PATCH', path, { budget: 250.5, dailyBudget: 10, creative: { headline: 'Run' } });
    await ask('PATCH', path, {
      targetAudience: { keywords: ['sneakers', 'trail running'], countries: [] },
      frequencyCap: { impressions: 3, per: 'day' },
    });
    await ask('PATCH', path, { frequencyCap: null, suggestedPhrases: [{ text: 'sore feet', weight: 0.5 }] });
    await ask('PATCH', path, { suggestedPhrases: null });
    await ask('PATCH', path, { status: 'paused', name: 'Old shoes' });
    await ask('DELETE', path);
    expect(told(await entries())).toEqual([
      ['deleted'],
      [
        'updated',
        { field: 'name', before: 'Shoes', after: 'Old shoes' },
        { field: 'status', before: 'draft', after: 'paused' },
        { field: 'pausedReason', before: null, after: 'user' },
      ],
      ['updated', { field: 'suggestedPhrases', added: [], removed: ['sore feet (0.5)'] }],
      [
        'updated',
        { field: 'frequencyCap.impressions', before: 3, after: null },
        { field: 'frequencyCap.per', before: 'day', after: null },
        { field: 'suggestedPhrases', added: ['sore feet (0.5)'], removed: [] },
      ],
      [
        'updated',
        { field: 'targetAudience.keywords', added: ['trail running'], removed: ['running shoes'] },
        { field: 'targetAudience.countries', added: [], removed: ['US'] },
        { field: 'frequencyCap.impressions', before: null, after: 3 },
        { field: 'frequencyCap.per', before: null, after: 'day' },
      ],
      [
        'updated',
        { field: 'budget', before: 100, after: 250.5 },
        { field: 'dailyBudget', before: 100, after: 10 },
        { field: 'creative.headline', before: '', after: 'Run' },
      ],
      [
        'created',
        { field: 'name', before: null, after: 'Shoes' },
        { field: 'budget', before: null, after: 100 },
        { field: 'dailyBudget', before: null, after: 100 },
        { field: 'targetAudience.keywords', added: ['running shoes', 'sneakers'], removed: [] },
        { field: 'targetAudience.countries', added: ['US'], removed: [] },
      ],
    ]);
  });

  it('has one entry for each change of a webhook, with no more of its URL than the host', async () => {
    const { ask, entries } = someone();
    const url = 'https://public.test/hooks/T0KEN?key=S3CRET';
    const { id, secret } = (await ask('POST', '/webhooks', { url, events: ['ad.click'], description: 'Ours' })).body;
    const path = `/webhooks/${id}`;
    await ask('PATCH', path, { url: 'https://public.test/hooks/N3W', events: ['ad.click', 'ad.conversion'] });
    await ask('PATCH', path, { url: 'https://public.test:8443/hooks/N3W', description: null });
    await ask('PATCH', path, { status: 'disabled' });
    const { secret: next } = (await ask('POST', `${path}/rotate-secret`)).body;
    await ask('POST', `${path}/rotate-secret`, { revokeOld: true });
    await ask('DELETE', path);
    const all = await entries();
    expect(told(all)).toEqual([
      ['deleted'],
      ['rotated', { field: 'revokeOld', before: null, after: true }],
      ['rotated'],
      ['updated', { field: 'status', before: 'active', after: 'disabled' }],
      [
        'updated',
        { field: 'url', before: 'public.test', after: 'public.test:8443' },
        { field: 'description', before: 'Ours', after: '' },
      ],
      [
        'updated',
        { field: 'url', before: 'public.test', after: 'public.test' },
        { field: 'events', added: ['ad.conversion'], removed: [] },
      ],
      [
        'created',
        { field: 'description', before: null, after: 'Ours' },
        { field: 'url', before: null, after: 'public.test' },
        { field: 'events', added: ['ad.click'], removed: [] },
      ],
    ]);
    const stored: string[] = [];
    const own = { table: 'activity', index: 'bySubject', where: '#subject = :id', values: { id } } as const;
    for await (const entry of service.stack.effects.db.query(own)) stored.push(JSON.stringify(entry));
    expect(stored).toHaveLength(all.length);
    for (const text of [JSON.stringify(all), ...stored])
      for (const hidden of [secret, next, 'T0KEN', 'S3CRET', 'N3W', 'https://', 'whsec_'])
        expect(text).not.toContain(hidden);
  });

  it('has no entry for what changes nothing, is refused, or was already done', async () => {
    const { ask, entries } = someone();
    const headers = { 'idempotency-key': 'once' };
    const create = (path: string, body: object) =>
      service.call('POST', `/api/v1${path}`, { headers: { ...headers, 'x-user-id': `user-${users}` }, body });
    const hook = { url: 'https://public.test/', events: ['ad.click'] };
    for (let n = 0; n < 2; n++) {
      await create('/campaigns', { name: 'Shoes' });
      await create('/auth/api-keys', { name: 'Bot' });
      await create('/webhooks', hook);
    }
    const [campaign] = (await ask('GET', '/campaigns')).body;
    const [key] = (await ask('GET', '/auth/api-keys')).body;
    const [webhook] = (await ask('GET', '/webhooks')).body;
    const before = await entries();
    expect(before.map(({ action }: { action: string }) => action)).toEqual(['created', 'created', 'created']);
    await ask('PATCH', `/campaigns/${campaign.id}`, campaign);
    await ask('PATCH', `/campaigns/${campaign.id}`, { budget: -1 });
    await ask('PATCH', `/campaigns/${campaign.id}`, { expectedBudget: 5, budget: 6 });
    await ask('POST', '/campaigns', { name: 'Shoes' });
    await ask('PATCH', `/auth/api-keys/${key.id}`, key);
    await ask('PATCH', `/auth/api-keys/${key.id}`, {});
    await ask('PATCH', `/webhooks/${webhook.id}`, webhook);
    await ask('POST', `/webhooks/${webhook.id}/test`);
    await ask('DELETE', '/campaigns/cmp_00000000000000000000');
    await ask('DELETE', `/auth/api-keys/key_${'0'.repeat(32)}`);
    await ask('DELETE', '/webhooks/wh_00000000000000000000');
    expect(await entries()).toEqual(before);
  });

  it('says what each of several concurrent changes really replaced', async () => {
    const { ask, entries } = someone();
    const { id } = (await ask('POST', '/auth/api-keys', { name: 'Bot' })).body;
    const webhook = (await ask('POST', '/webhooks', { url: 'https://public.test/', events: ['ad.click'] })).body;
    const campaign = (await ask('POST', '/campaigns', { name: 'Shoes' })).body;
    await Promise.all(
      [1, 2, 3, 4].flatMap((n) => [
        ask('PATCH', `/auth/api-keys/${id}`, { turnSpacing: n }),
        ask('PATCH', `/webhooks/${webhook.id}`, { description: `Note ${n}` }),
        ask('PATCH', `/campaigns/${campaign.id}`, { budget: n }),
      ]),
    );
    for (const [subject, first] of [
      [id, 0],
      [webhook.id, ''],
      [campaign.id, 0],
    ]) {
      const changes = told((await entries(`subject=${subject}`)).slice(0, 4)).map(([, change]) => change);
      const chain = changes.reverse() as unknown as { before: unknown; after: unknown }[];
      expect(chain.map(({ before }) => before)).toEqual([first, ...chain.slice(0, -1).map(({ after }) => after)]);
    }
  });

  it('belongs to the user: nobody else reads it, not even by the id of a campaign', async () => {
    const { ask } = someone();
    const { id } = (await ask('POST', '/campaigns', { name: 'Shoes' })).body;
    const other = someone();
    expect(await other.list()).toEqual({ entries: [], next: null });
    expect(await other.list(`subject=${id}`)).toEqual({ entries: [], next: null });
    expect(await other.list(`subject=${id}&limit=1`)).toEqual({ entries: [], next: null });
  });

  it('is read page by page, which new entries do not shift', async () => {
    const { ask, list, entries } = someone();
    const { id } = (await ask('POST', '/auth/api-keys', { name: 'Bot' })).body;
    const { id: campaign } = (await ask('POST', '/campaigns', { name: 'Shoes' })).body;
    for (let n = 1; n <= 4; n++) {
      service.clock.advance(1_000);
      await ask('PATCH', `/auth/api-keys/${id}`, { turnSpacing: n });
    }
    const all = await entries();
    expect(all).toHaveLength(6);
    const seen: unknown[] = [];
    for (let next: string | null = ''; next !== null; ) {
      const page: { entries: unknown[]; next: string | null } = await list(`limit=2${next && `&before=${next}`}`);
      expect(page.entries.length).toBeLessThanOrEqual(2);
      seen.push(...page.entries);
      next = page.next;
      service.clock.advance(1_000);
      await ask('PATCH', `/campaigns/${campaign}`, { budget: seen.length });
    }
    expect(seen).toEqual(all);
    const ofKey = await list(`subject=${id}&limit=3`);
    const rest = await list(`subject=${id}&limit=3&before=${ofKey.next}`);
    expect([...ofKey.entries, ...rest.entries]).toEqual(
      all.filter(({ subject }: { subject: string }) => subject === id),
    );
    expect(rest.next).toBeNull();
  });

  it('is kept for 90 days, also where the store has not deleted it yet', async () => {
    const { ask, entries } = someone();
    const { id } = (await ask('POST', '/auth/api-keys', { name: 'Bot' })).body;
    const createdAt = service.clock.now();
    service.clock.advance(DAY_MS);
    await ask('PATCH', `/auth/api-keys/${id}`, { turnSpacing: 1 });
    service.clock.set(createdAt + 90 * DAY_MS - 1);
    expect(await entries()).toHaveLength(2);
    service.clock.set(createdAt + 90 * DAY_MS);
    expect(told(await entries())).toEqual([['updated', { field: 'turnSpacing', before: 0, after: 1 }]]);
    expect(await service.stack.sweep()).toBeGreaterThan(0);
    expect(await entries(`subject=${id}`)).toHaveLength(1);
  });

  it.each([
    ['subject=nobody', 'subject', 'subject must be the id of a campaign, an API key, or a webhook'],
    ['before=yesterday', 'before', 'before must be the id of an entry, such as next in the previous response'],
    ['limit=0', 'limit', expect.stringContaining('limit')],
    ['limit=101', 'limit', expect.stringContaining('limit')],
  ])('rejects %s', async (query, path, message) => {
    someone();
    const answer = await service.call('GET', '/api/v1/activity', asking(`user-${users}`, query));
    expect(answer).toMatchObject({ status: 400, body: { details: [{ path, message }] } });
  });

  it('bounds an entry, whatever was changed', async () => {
    const { ask, entries } = someone();
    const long = (n: number) => '\u{1f45f}'.repeat(n);
    const keywords = Array.from({ length: 80 }, (_, n) => `shoe ${n} ${'x'.repeat(40)}`);
    const creative = {
      headline: long(100),
      description: long(500),
      callToAction: long(25),
      landingUrl: `https://shoes.example/${'a'.repeat(2_000)}`,
      imageUrl: `https://shoes.example/${'b'.repeat(2_000)}`,
      sponsoredBy: long(100),
    };
    const { status, body } = await ask('POST', '/campaigns', {
      ...runningShoes(),
      name: long(100),
      description: long(1_000),
      targetAudience: { keywords, excludedKeywords: keywords.map((text) => `not ${text}`) },
      creative,
    });
    expect([status, body]).toEqual([201, expect.anything()]);
    const { id } = (await ask('POST', '/auth/api-keys', { name: 'Bot' })).body;
    const blockedDomains = Array.from({ length: 500 }, (_, n) => `${'d'.repeat(50)}${n}.example`);
    await ask('PATCH', `/auth/api-keys/${id}`, { blockedDomains });
    const [key] = await entries(`subject=${id}`);
    const [created] = await entries(`subject=${body.id}`);
    const bytes = (entry: { changes: object[] }) => Buffer.byteLength(JSON.stringify(entry.changes));
    expect(bytes(key)).toBeLessThanOrEqual(4_096);
    expect(bytes(key)).toBeGreaterThan(4_000);
    const [domains] = key.changes;
    expect(domains.added.length + domains.omitted).toBe(500);
    expect(blockedDomains).toEqual(expect.arrayContaining(domains.added));
    expect(bytes(created)).toBeLessThanOrEqual(4_096);
    expect(created.changes).toContainEqual({ field: 'budget', before: null, after: runningShoes().budget });
    const headline = created.changes.find(({ field }: { field: string }) => field === 'creative.headline');
    expect(headline.after).toMatch(/^\u{1f45f}+…$/u);

    const changed = await ask('PATCH', `/campaigns/${body.id}`, {
      description: '\u{1f460}'.repeat(300),
      name: '"'.repeat(200),
      budget: 1,
      dailyBudget: 0.5,
      maxCpb: 2,
      targetCpa: 3,
      bidStrategy: 'target_cpa',
      frequencyCap: { impressions: 3, per: 'day' },
      startDate: '2026-11-01',
      endDate: '2027-11-01',
      status: 'paused',
      targetAudience: {
        keywords: keywords.slice(0, 30).map((text) => `${text}y`),
        excludedKeywords: keywords.slice(0, 30),
        countries: ['FR', 'DE'],
        languages: ['fr', 'de'],
        categories: ['Shopping'],
        demographics: { ageRange: '20-30', interests: ['Running and Jogging'] },
      },
      creative: Object.fromEntries(
        Object.entries(creative).map(([field, text]) => [
          field,
          text.replaceAll('\u{1f45f}', '\u{1f460}').replace('shoes', 'new'),
        ]),
      ),
    });
    expect([changed.status, changed.body]).toEqual([200, expect.anything()]);
    const [updated] = await entries(`subject=${body.id}&limit=1`);
    expect(updated.action).toBe('updated');
    expect(updated.changes.length).toBeGreaterThan(20);
    expect(bytes(updated)).toBeLessThanOrEqual(4_096);
    expect(bytes(updated)).toBeGreaterThan(3_500);
    for (const expected of [
      { field: 'budget', before: runningShoes().budget, after: 1 },
      { field: 'status', before: 'active', after: 'paused' },
      { field: 'targetAudience.languages', added: ['fr', 'de'], removed: [] },
    ])
      expect(updated.changes).toContainEqual(expected);
  });
});
