import * as z from 'zod';

export interface JsonSchema {
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: readonly string[];
  [keyword: string]: unknown;
}

export type ToJsonSchema = (schema: z.ZodType, io: 'input' | 'output') => JsonSchema;

/** Schemas as OpenAPI writes them; those that have an id are collected under components and referred to. */
export function createSchemas() {
  const components: Record<string, JsonSchema> = {};

  /** `input`: what may be sent, before defaults and transformations; `output`: what is answered, where members may be added. */
  const toJsonSchema: ToJsonSchema = (schema, io) => {
    // Inside another object even a schema with an id is referred to, not written out.
    const { properties, $defs = {} } = JSON.parse(
      JSON.stringify(
        z.toJSONSchema(z.object({ it: schema }), {
          io,
          unrepresentable: 'any',
          override: ({ jsonSchema }) => tidy(jsonSchema),
        }),
      ).replaceAll('#/$defs/', '#/components/schemas/'),
    );
    for (const [name, { id: _, ...component }] of Object.entries<JsonSchema>($defs)) components[name] = component;
    return properties.it;
  };

  return { components, toJsonSchema };
}

/** Answers may grow, and a text of digits, as queries have them, is a whole number. */
function tidy(schema: Record<string, unknown>): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  if (schema.type === 'string' && schema.pattern === '^\\d+$') {
    schema.type = 'integer';
    schema.minimum ??= 0;
    delete schema.pattern;
  }
}

type Components = Readonly<Record<string, JsonSchema>>;

/**
 * Gives fields of a request that say nothing the description of the same field in the answer: what can be set and what is answered
 * is described once, in the schema of the answer, which no function that takes requests has to load.
 */
export function inheritDescriptions(schema: JsonSchema, answer: JsonSchema, components: Components): void {
  const source = resolved(answer, components);
  for (const part of getParts(schema)) {
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

/** A schema and what it may be instead. */
const getParts = (schema: JsonSchema): JsonSchema[] => [schema, ...(schema.anyOf ?? []).flatMap(getParts)];

const resolved = (schema: JsonSchema, components: Components): JsonSchema[] =>
  getParts(schema).flatMap((part) => {
    const known = typeof part.$ref === 'string' ? components[part.$ref.split('/').at(-1)!] : undefined;
    return known ? [part, ...resolved(known, components)] : [part];
  });

const getMembers = ({ properties = {} }: JsonSchema): [string, JsonSchema][] => Object.entries(properties);
