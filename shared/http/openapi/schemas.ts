import * as z from 'zod';
import { getEnumName } from './enums.ts';

export interface JsonSchema {
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: readonly string[];
  [keyword: string]: unknown;
}

export type ToJsonSchema = (schema: z.ZodType, io: 'input' | 'output') => JsonSchema;

/** Converts zod schemas to OpenAPI. A schema with an id becomes a component, which other schemas refer to. */
export function createSchemas() {
  const components: Record<string, JsonSchema> = {};
  /** Components as they were before they inherited descriptions. */
  const texts = new Map<string, string>();

  /** `input` describes requests, before defaults and transformations. `output` describes responses, which may get more members later. */
  const toJsonSchema: ToJsonSchema = (schema, io) => {
    // zod only writes a reference to a schema with an id if it is inside another object.
    const { properties, $defs = {} } = JSON.parse(
      JSON.stringify(
        z.toJSONSchema(z.object({ it: schema }), {
          io,
          unrepresentable: 'any',
          override: ({ jsonSchema }) => tidy(jsonSchema),
        }),
      ).replaceAll('#/$defs/', '#/components/schemas/'),
    );
    for (const [name, { id: _, ...component }] of Object.entries<JsonSchema>($defs)) {
      const text = JSON.stringify(component);
      // Generators would create one class for both.
      if (texts.has(name) && texts.get(name) !== text) throw new Error(`Two different schemas have the id ${name}`);
      texts.set(name, text);
      components[name] ??= component;
    }
    return properties.it;
  };

  return { components, toJsonSchema };
}

/**
 * Allows responses to get more members, refers to named values, and describes whole values and a string of digits (in a query) as integers.
 * Lists the alternatives of an alternative with the others, because generators give nested alternatives a type of their own.
 */
function tidy(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  if (schema.anyOf)
    schema.anyOf = schema.anyOf.flatMap((part) => (Object.keys(part).length === 1 && part.anyOf) || [part]);
  const name = schema.enum && getEnumName(schema.enum);
  if (name) {
    delete schema.type;
    delete schema.enum;
    schema.$ref = `#/components/schemas/${name}`;
  }
  // zod calls every literal a number, which generators turn into a float.
  if (schema.type === 'number' && (schema.enum ?? [schema.const]).every(Number.isInteger)) schema.type = 'integer';
  if (schema.type === 'string' && schema.pattern === '^\\d+$') {
    schema.type = 'integer';
    schema.minimum ??= 0;
    delete schema.pattern;
  }
}

type Components = Readonly<Record<string, JsonSchema>>;

/**
 * Copies missing descriptions of request fields from the same fields of the response. So each field is described once, and only in
 * response schemas, which functions do not bundle.
 */
export function inheritDescriptions(schema: JsonSchema, answer: JsonSchema, components: Components): void {
  const source = resolved(answer, components);
  for (const part of resolved(schema, components)) {
    for (const [name, member] of getMembers(part)) {
      const told = source.flatMap(getMembers).find(([other]) => other === name)?.[1];
      if (!told) continue;
      member.description ??= resolved(told, components).find(({ description }) => description)?.description;
      inheritDescriptions(member, told, components);
    }
    if (isSchema(part.items)) {
      const items = source.map((one) => one.items).find(isSchema);
      if (items) inheritDescriptions(part.items, items, components);
    }
  }
}

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;

/** A schema and its alternatives. */
const getParts = (schema: JsonSchema): JsonSchema[] => [schema, ...(schema.anyOf ?? []).flatMap(getParts)];

const resolved = (schema: JsonSchema, components: Components): JsonSchema[] =>
  getParts(schema).flatMap((part) => {
    const known = typeof part.$ref === 'string' ? components[part.$ref.split('/').at(-1)!] : undefined;
    return known ? [part, ...resolved(known, components)] : [part];
  });

const getMembers = ({ properties = {} }: JsonSchema): [string, JsonSchema][] => Object.entries(properties);
