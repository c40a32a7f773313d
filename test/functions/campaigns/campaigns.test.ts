import { describe, expect, it } from 'vitest';
import { grouped } from '../../../shared/platform/values/value-schema.ts';
import { listFields, rows, toShape } from '../../contract/rows.ts';
import { useServiceInMemory } from '../../memory/stack.ts';

// @module-tag whole
const service = useServiceInMemory();
const create = (body: unknown, user?: string) => service.user(user)('POST', '/campaigns', body);
const get = (id: string, user?: string) => service.user(user)('GET', `/campaigns/${id}`);
const update = (id: string, body: unknown, user?: string) => service.user(user)('PATCH', `/campaigns/${id}`, body);

const DEFAULTS = {
  description: '',
  budget: 0,
  dailyBudget: 0,
  spentBudget: 0,
  spentToday: 0,
  status: 'draft',
  performance: {
    ...{ impressions: 0, clicks: 0, conversions: 0, ctr: 0, averageCpb: 0 },
    ...{
      conversionValue: 0,
      costPerConversion: null,
      returnOnSpend: null,
      notRelevant: 0,
      viewableImpressions: 0,
      suspectClicks: { tooFast: 0, tooMany: 0 },
    },
  },
  pausedReason: null,
  targetAudience: {
    keywords: [],
    demographics: { ageRange: null, interests: [] },
    countries: [],
    languages: [],
    excludedKeywords: [],
    categories: [],
  },
  creative: {
    headline: '',
    description: '',
    callToAction: '',
    landingUrl: '',
    imageUrl: '',
    videoUrl: '',
    thumbnailUrl: '',
    sponsoredBy: '',
  },
  bidStrategy: 'auto',
  maxCpb: 1,
  targetCpa: null,
  startDate: null,
  endDate: null,
  frequencyCap: null,
  excludedPublishers: [],
  conversionWindowDays: 30,
  serving: { eligible: false, reasons: expect.any(Array) },
  conversionStatus: { lastConversionAt: null, lastTestAt: null },
};

describe('POST /campaigns', () => {
  it('sets the default of every missing field', async () => {
    const { status, body } = await create({ name: '  Bare  ' });
    const time = new Date(service.clock.now()).toISOString();
    expect(status).toBe(201);
    expect(body).toEqual({
      ...DEFAULTS,
      id: expect.stringMatching(/^cmp_/),
      name: 'Bare',
      createdAt: time,
      updatedAt: time,
    });
    expect((await get(body.id)).body).toEqual(body);
  });

  it('lets dailyBudget follow budget until it is set', async () => {
    const { body } = await create({ name: 'Following', budget: 12.345678 });
    expect([body.budget, body.dailyBudget]).toEqual([12.345678, 12.345678]);
    expect((await update(body.id, { budget: 20 })).body.dailyBudget).toBe(20);
    expect((await update(body.id, { dailyBudget: 5 })).body.dailyBudget).toBe(5);
    expect((await update(body.id, { budget: 30 })).body.dailyBudget).toBe(5);
    expect((await update(body.id, { dailyBudget: null })).body.dailyBudget).toBe(30);
  });

  it('ignores unknown and read-only fields', async () => {
    const { body } = await create({
      name: 'Mine',
      id: 'x',
      spentBudget: 9,
      performance: { clicks: 9 },
      createdAt: 'x',
      colour: 'red',
    });
    expect(body).toMatchObject({ spentBudget: 0, performance: { clicks: 0 } });
    expect(body.id).not.toBe('x');
    expect(body.colour).toBeUndefined();
  });

  it('rejects a name that the user already has in any case, and allows it for another user', async () => {
    await create({ name: 'Grüße' });
    const { status, body } = await create({ name: 'GRÜSSE'.replace('SS', 'ß') });
    expect([status, body]).toEqual([
      409,
      { error: 'Conflict', message: 'Campaign with this name already exists', statusCode: 409 },
    ]);
    expect((await create({ name: 'Grüße' }, 'bob')).status).toBe(201);
  });

  it('accepts names that get longer when case-folded', async () => {
    expect((await create({ name: 'ﷺ'.repeat(11) })).status).toBe(201);
    expect((await create({ name: '😀'.repeat(100) })).status).toBe(201);
  });

  it.each([
    ['no name', { budget: -1 }, 'Campaign name is required'],
    ['a lone surrogate', { name: '\ud800' }, 'must be well-formed Unicode'],
    [
      'a negative budget',
      { name: 'x', budget: -1 },
      /budget must be an amount in USD from 0 to 1,000,000,000 with at most 6 decimals/,
    ],
    [
      'an unknown status',
      { name: 'x', status: 'on' },
      'status must be one of draft, active, paused, completed, cancelled',
    ],
    [
      'credentials in the URL',
      { name: 'x', creative: { landingUrl: 'https://a:b@c.example' } },
      /landingUrl must be an absolute http/,
    ],
    ['an empty address', { name: 'x', creative: { landingUrl: '' } }, /landingUrl must be an absolute http/],
    ['script in the address', { name: 'x', creative: { landingUrl: 'javascript:alert(1)' } }, /landingUrl/],
    [
      'an end before the start',
      { name: 'x', startDate: '2026-12-02', endDate: '2026-12-01' },
      'endDate must not be before startDate',
    ],
  ])('rejects %s', async (_, body, message) => {
    const response = await create(body);
    expect(response.status).toBe(400);
    expect(response.body.error).toBe('Validation failed');
    expect(response.body.message).toMatch(message);
  });
});

describe('GET /campaigns/{id}', () => {
  it.each(['nothing', 'cmp_00000000000000000000', 'x'.repeat(2000), '%F0%9F%98%80', 'a%00b'])(
    'returns 404 for %s',
    async (id) => {
      const { status, body } = await get(id);
      expect([status, body]).toEqual([404, { error: 'Not found', message: 'Campaign not found', statusCode: 404 }]);
    },
  );

  it("returns 404 for another user's campaign", async () => {
    const { body } = await create({ name: 'Private' });
    expect((await get(body.id, 'bob')).status).toBe(404);
  });
});

describe('PATCH /campaigns/{id}', () => {
  it('merges nested objects, replaces arrays, and resets fields set to null', async () => {
    const { body: before } = await create({
      name: 'Merged',
      description: 'Old',
      maxCpb: 3,
      targetAudience: { keywords: ['a', 'b'], demographics: { ageRange: '18-30', interests: ['x'] } },
      creative: { headline: 'H', description: 'D', landingUrl: 'https://a.example/' },
    });
    service.clock.advance(5);
    const { status, body } = await update(before.id, {
      description: null,
      maxCpb: null,
      targetAudience: { keywords: ['c'], demographics: { ageRange: null } },
      creative: { headline: 'New', description: null },
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      ...before,
      description: '',
      maxCpb: 1,
      targetAudience: { ...before.targetAudience, keywords: ['c'], demographics: { ageRange: null, interests: ['x'] } },
      creative: { ...before.creative, headline: 'New', description: '' },
      updatedAt: new Date(service.clock.now()).toISOString(),
    });
  });

  it('changes updatedAt every time', async () => {
    const { body: first } = await create({ name: 'Ticking' });
    const second = (await update(first.id, {})).body;
    const third = (await update(first.id, {})).body;
    expect(new Set([first.updatedAt, second.updatedAt, third.updatedAt]).size).toBe(3);
  });

  it('accepts its own whole response as a body', async () => {
    const { body } = await create({ name: 'Round trip' });
    const again = await update(body.id, body);
    expect(again.status).toBe(200);
    expect({ ...again.body, updatedAt: body.updatedAt }).toEqual(body);
  });

  it('frees the old name on a rename and rejects a taken one', async () => {
    const { body } = await create({ name: 'Before' });
    await create({ name: 'Taken' });
    expect((await update(body.id, { name: 'taken' })).status).toBe(409);
    expect((await get(body.id)).body.name).toBe('Before');
    expect((await update(body.id, { name: 'BEFORE' })).body.name).toBe('BEFORE');
    expect((await update(body.id, { name: 'After' })).status).toBe(200);
    expect((await create({ name: 'before' })).status).toBe(201);
  });

  it('reports the reason of a pause by the user and clears it on resume', async () => {
    const { body } = await create({ name: 'Pausing', status: 'active' });
    expect((await update(body.id, { status: 'paused' })).body.pausedReason).toBe('user');
    expect((await update(body.id, { status: 'active' })).body.pausedReason).toBeNull();
  });

  it('applies all of four concurrent changes', async () => {
    const { body } = await create({ name: 'Busy' });
    const fields = ['headline', 'description', 'callToAction', 'sponsoredBy'];
    await Promise.all(fields.map((field) => update(body.id, { creative: { [field]: field } })));
    const { creative } = (await get(body.id)).body;
    for (const field of fields) expect(creative[field]).toBe(field);
  });

  it('stores nothing of a rejected change', async () => {
    const { body } = await create({ name: 'Whole', budget: 5 });
    expect((await update(body.id, { budget: 7, creative: { landingUrl: 'nonsense' } })).status).toBe(400);
    expect((await get(body.id)).body).toEqual(body);
  });

  it("returns 404 for another user's campaign", async () => {
    const { body } = await create({ name: 'Untouchable' });
    expect((await update(body.id, { name: 'Stolen' }, 'bob')).status).toBe(404);
  });
});

describe('Texts that get longer when normalized', () => {
  const LONG = 'ﷺ'; // 18 characters when normalized
  const word = `x${LONG}`;
  const audience = (more: object) => ({ targetAudience: more });

  it.each([
    ['name', 200, (text: string) => ({ name: text })],
    ['targetAudience.keywords', 100, (text: string) => audience({ keywords: ['x', text] })],
    ['targetAudience.excludedKeywords', 100, (text: string) => audience({ excludedKeywords: [text] })],
    ['targetAudience.demographics.interests', 100, (text: string) => audience({ demographics: { interests: [text] } })],
    ['targetAudience.categories', 100, (text: string) => audience({ categories: [text] })],
    ['creative.headline', 200, (text: string) => ({ creative: { headline: text } })],
    ['creative.description', 1_000, (text: string) => ({ creative: { description: text } })],
    ['creative.callToAction', 50, (text: string) => ({ creative: { callToAction: text } })],
  ])('are limited in normalized form too: %s', async (path, maxLength, body) => {
    const longest = word + 'x'.repeat(maxLength - 19);
    expect((await create({ name: `Normal ${path}`, ...body(longest) })).status).toBe(201);
    const { status, body: refusal } = await create({ name: `Grown ${path}`, ...body(`${longest}x`) });
    const message = `${path.split('.').at(-1)} must also have at most ${grouped(maxLength)} characters when normalized to Unicode NFKC, which spells out characters such as ${LONG}`;
    expect([status, refusal.message, refusal.details]).toEqual([400, message, [{ path, message }]]);
  });

  it('do not cause a 500 at the maximum number of keywords', async () => {
    const keywords = Array.from({ length: 200 }, (_, index) => `${LONG.repeat(97)}${index}`);
    const { status, body } = await create({ name: 'Grown', targetAudience: { keywords } });
    expect([status, body.details[0].path]).toEqual([400, 'targetAudience.keywords']);
  });
});

describe('A campaign stored by an earlier version', () => {
  const EVERYTHING = {
    description: 'New',
    budget: 9,
    dailyBudget: 3,
    bidStrategy: 'manual',
    maxCpb: 2,
    targetCpa: 4,
    status: 'paused',
    startDate: '2026-01-01T00:00:00.000Z',
    endDate: '2027-01-01T00:00:00.000Z',
    targetAudience: {
      keywords: ['shoes'],
      demographics: { ageRange: '18-30', interests: ['running'] },
      countries: ['DE'],
      languages: ['de'],
      excludedKeywords: ['horse'],
      categories: ['Shopping'],
    },
    creative: {
      headline: 'New',
      description: 'New',
      callToAction: 'New',
      landingUrl: 'https://new.example/',
      imageUrl: 'https://new.example/i',
      videoUrl: 'https://new.example/v',
      thumbnailUrl: 'https://new.example/t',
      sponsoredBy: 'New',
    },
    frequencyCap: { impressions: 3, per: 'day' },
    excludedPublishers: ['pub_7F3KQ2M9XW4A'],
    conversionWindowDays: 60,
    suggestedPhrases: [{ text: 'new', weight: 0.5 }],
  };

  /** Paths of all fields that an update may set. */
  const paths = (value: object, prefix: string[] = []): string[][] =>
    Object.entries(value).flatMap(([name, member]) =>
      member && typeof member === 'object' && !Array.isArray(member)
        ? paths(member, [...prefix, name])
        : [[...prefix, name]],
    );

  it('accepts an update of every missing field, including nested ones', async () => {
    const settable = listFields(toShape(rows.find(({ name }) => name === 'campaigns/update')!));
    const leaves = settable.filter(({ path, types }) => !types.has('object') && path.every((part) => part !== 0));
    // The expected budget is a condition, not a field of the campaign.
    const isOther = (path: string) => /^(name|pausedReason|expectedBudget)$/.test(path);
    const named = leaves.map(({ path }) => path.join('.')).filter((path) => !isOther(path));
    expect(paths(EVERYTHING).map((path) => path.join('.'))).toEqual(expect.arrayContaining(named));

    const { db } = service.stack.effects;
    for (const lacking of [
      'REMOVE #description, #dailyBudget, #targetCpa, #startDate, #endDate, #bidStrategy',
      'SET #targetAudience = :none, #creative = :none',
      'SET #targetAudience = :empty',
      'REMOVE #targetAudience',
    ]) {
      const { body } = await create({ name: `Stored before: ${lacking}` });
      const values = { none: {}, empty: { keywords: ['a'], demographics: {} } };
      const used = Object.fromEntries(Object.entries(values).filter(([name]) => lacking.includes(`:${name}`)));
      const key = { owner: 'alice', item: `campaign#${body.id}` };
      await db.write({ table: 'campaigns', key, update: lacking, ...(lacking.includes(':') && { values: used }) });
      const answer = await update(body.id, EVERYTHING);
      expect([answer.status, answer.body], lacking).toEqual([200, expect.objectContaining(EVERYTHING)]);
      expect((await get(body.id)).body).toEqual(answer.body);
    }
  });
});
