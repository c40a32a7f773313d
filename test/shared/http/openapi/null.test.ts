import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { example } from '../../../../events/fixture.ts';
import { seedFixtures } from '../../../../infra/local/fixtures.ts';
import answers from '../../../../shared/http/openapi/answers.json' with { type: 'json' };
import { openApiDocument } from '../../../../shared/http/openapi/document.ts';
import { endpointRow } from '../../../../shared/http/operations/endpoints.ts';
import { getInput } from '../../../../shared/http/operations/inputs.ts';
import { type Answering, answering } from '../../../../shared/http/operations/responses.ts';
import { MINUTE_MS } from '../../../../shared/platform/clock.ts';
import { fixture, fixtureBody, withBody } from '../../../contract/rows.ts';
import { useServiceInMemory } from '../../../memory/stack.ts';

// @module-tag whole
const service = useServiceInMemory();
beforeAll(() => seedFixtures(service.stack.effects));

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  description?: string;
}

// biome-ignore lint/suspicious/noExplicitAny: a document is looked into freely
const document: any = openApiDocument('https://ads.test', { request: example, answers });
const schemas: Record<string, Schema> = document.components.schemas;

/** A schema, what it refers to, and its alternatives. */
const partsOf = (schema: Schema): Schema[] => [
  schema,
  ...(schema.$ref ? partsOf(schemas[schema.$ref.split('/').at(-1)!]!) : []),
  ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(partsOf),
];
const saysNull = (schema: Schema): boolean =>
  partsOf(schema).some(({ type, enum: values }) => [type].flat().includes('null') || values?.includes(null));
/** Read-only fields may have any value, and are ignored. */
const saysAnything = (schema: Schema): boolean =>
  partsOf(schema).every((part) => Object.keys(part).join() === 'description');

type Path = (string | 0)[];

/** The fields of a body, and of the objects and lists in it. */
const fieldsOf = (schema: Schema, path: Path = []): { path: Path; schema: Schema }[] =>
  partsOf(schema).flatMap(({ properties = {}, items }) => [
    ...Object.entries(properties).flatMap(([name, field]) => [
      { path: [...path, name], schema: field },
      ...fieldsOf(field, [...path, name]),
    ]),
    ...(items ? fieldsOf(items, [...path, 0]) : []),
  ]);

/** The value with null at a path, whose objects and lists are created if they are missing. */
function withNull(value: unknown, [name, ...rest]: Path): unknown {
  if (name === undefined) return null;
  if (name === 0) return [withNull(Array.isArray(value) ? value[0] : undefined, rest)];
  const object: Record<string, unknown> = typeof value === 'object' && value !== null ? { ...value } : {};
  return { ...object, [name]: withNull(object[name], rest) };
}

const bodies = answering
  .filter((name) => getInput(name).body)
  .map((name) => {
    const { path, methods } = endpointRow(name);
    const { requestBody } = document.paths[path!][methods[0]!.toLowerCase()];
    return { name, fields: fieldsOf(requestBody.content['application/json'].schema) };
  });

/** The paths of the fields that an operation refuses. */
async function refusedBy(name: Answering, body: unknown): Promise<string[]> {
  service.clock.advance(MINUTE_MS);
  const answer = await service.stack.handlers[name](withBody(fixture(name), body));
  expect([401, 429, 500, 503], name).not.toContain(answer.statusCode);
  const { details = [] } = answer.body ? (JSON.parse(answer.body) ?? {}) : {};
  return details.map((detail: { path: string }) => detail.path);
}

describe.each(bodies)('The request of $name', ({ name, fields }) => {
  const nullable = fields.filter(({ schema }) => saysNull(schema));
  const others = fields.filter(({ schema }) => !saysNull(schema) && !saysAnything(schema));

  it('accepts null in any fields that say so', async () => {
    await fc.assert(
      fc.asyncProperty(fc.subarray(nullable), async (some) => {
        const body = some.reduce<unknown>((body, { path }) => withNull(body, path), fixtureBody(name));
        const refused = await refusedBy(name, body);
        for (const { path } of some) expect(refused).not.toContain(path.join('.'));
      }),
      { numRuns: nullable.length > 0 ? 5 : 0, seed: 1 },
    );
    for (const { path } of nullable)
      expect(await refusedBy(name, withNull(fixtureBody(name), path))).not.toContain(path.join('.'));
  });

  it('refuses null in every other field', async () => {
    for (const { path } of others)
      expect(await refusedBy(name, withNull(fixtureBody(name), path)), path.join('.')).toContain(path.join('.'));
  });
});
