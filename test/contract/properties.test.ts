import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { seedFixtures } from '../../infra/local/fixtures.ts';
import { MINUTE_MS } from '../../shared/platform/clock.ts';
import { useServiceInMemory } from '../memory/stack.ts';
import { scaleRuns } from '../run-size.ts';
import { anyText, bodyFromShape, hostileValue, toJson } from './arbitrary.ts';
import {
  type ContractRow,
  expectRefusal,
  fixture,
  fixtureBody,
  listFields,
  rows,
  selectRows,
  send,
  type TestResponse,
  toShape,
  withBody,
  withCaller,
  withField,
  withParameters,
} from './rows.ts';

// @module-tag whole
const service = useServiceInMemory();
beforeAll(() => seedFixtures(service.stack.effects));

const RUNS = { seed: 20_261_120, numRuns: scaleRuns(20) };
const withBodies = selectRows(({ body }) => body);
const ask = (row: ContractRow, event: APIGatewayProxyEventV2) => send(service.stack.handlers, row.name, event);

let users = 0;

/** A new user with one of the things that the row changes, and everything that the user can see. */
async function scene(row: ContractRow) {
  const who = { user: `user-${++users}`, key: row.credential === 'owner' ? '' : await service.key() };
  const collection = row.path!.split('/{')[0];
  const creation = rows.find(({ methods, path, body }) => methods.includes('POST') && path === collection && body);
  let event = withCaller(row, fixture(row.name), who);
  if (row.path!.includes('{') && creation) {
    const { status, body } = await ask(creation, withCaller(creation, fixture(creation.name), who));
    expect(status).toBe(201);
    event = withParameters(event, () => body.id);
  }
  const sights = selectRows(
    ({ methods, path }) => methods.includes('GET') && (path === collection || path === row.path),
  );
  const look = async () => {
    const seen = [];
    for (const [name, sight] of row.credential === 'owner' ? sights : []) {
      const { status, text } = await ask(sight, {
        ...withCaller(sight, fixture(name), who),
        rawQueryString: '',
        pathParameters: event.pathParameters,
      });
      expect(status).toBe(200);
      seen.push(text);
    }
    return seen;
  };
  return { event, look };
}

/** Creates a scene per run, each a minute later. A rejected run changes nothing, so its scene is reused. */
function scenes(row: ContractRow) {
  let known: { event: APIGatewayProxyEventV2; look(): Promise<string[]>; before: string[] } | undefined;
  return {
    async next() {
      service.clock.advance(MINUTE_MS);
      if (!known) {
        const created = await scene(row);
        known = { ...created, before: await created.look() };
      }
      return known;
    },
    leave() {
      known = undefined;
    },
  };
}

/** Valid bodies, without the expected budget, which would rarely be right. */
const validBody = (row: ContractRow) =>
  bodyFromShape(toShape(row)).map((body): object => {
    const { expectedBudget: _, ...others } = body as Record<string, unknown>;
    return others;
  });

/** The errors of valid bodies: an unknown click or campaign, another budget, or a conversation without an ad. */
const finds = ({ status, body }: TestResponse): boolean =>
  !(status === 409 && /^The budget is not/.test(body.message)) &&
  !(status === 404 && /^(Click|Campaign) not found$/.test(body.message)) &&
  !(status === 503 && body.error === 'No ads available');

describe('Bodies generated from the schemas', () => {
  it.each(withBodies)('are accepted by %s and returned unchanged', async (_, row) => {
    await fc.assert(
      fc.asyncProperty(validBody(row), async (body) => {
        service.clock.advance(MINUTE_MS);
        const { event } = await scene(row);
        const sent = await ask(row, withBody(event, body));
        if (!finds(sent)) return;
        expect(sent.status, sent.text).toBeLessThan(300);
        if (row.area !== 'management') return;
        const ignored = sent.headers['x-ignored-fields']?.split(', ') ?? [];
        for (const [field, value] of Object.entries(body)) {
          if (ignored.includes(field)) continue; // for example a key's mode, which PATCH cannot change
          // Only deliveries set a webhook to failed; a date is returned as a timestamp; the pause reason is read-only.
          if (value === null || typeof value === 'object' || value === 'failed') continue;
          if (/Date$/.test(field) || field === 'pausedReason') continue;
          if (field in sent.body) expect(sent.body[field]).toBe(field === 'name' ? value.trim() : value);
        }
      }),
      RUNS,
    );
  });

  it.each(withBodies)('with one fault cause no 500 in %s and change nothing if rejected', async (name, row) => {
    const fields = listFields(toShape(row));
    const broken = fc
      .constantFrom(...fields)
      .chain((field) => hostileValue(field).map((value) => ({ path: field.path, value })));
    const { next, leave } = scenes(row);
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(validBody(row), fc.constant(fixtureBody(name))),
        broken,
        async (body, { path, value }) => {
          const { event, look, before } = await next();
          const sent = await ask(row, withBody(event, toJson(withField(body, path, value))));
          if (sent.status < 300 || !finds(sent)) return leave();
          expect(sent.status, sent.text).toBeLessThan(500);
          expectRefusal(row, sent, sent.status);
          expect([400, 413]).toContain(sent.status);
          expect(await look()).toEqual(before);
        },
      ),
      { ...RUNS, numRuns: scaleRuns(40) },
    );
  });

  it.each(withBodies)('of any JSON cause no 500 in %s', async (_, row) => {
    const { next, leave } = scenes(row);
    await fc.assert(
      fc.asyncProperty(anyText, async (text) => {
        const { event, look, before } = await next();
        const sent = await ask(row, withBody(event, text));
        if (sent.status < 300) return leave();
        expectRefusal(row, sent, 400);
        expect(await look()).toEqual(before);
      }),
      { ...RUNS, numRuns: scaleRuns(12) },
    );
  });
});
