import type { JsonSchema } from './schemas.ts';

type Components = Readonly<Record<string, JsonSchema>>;

/**
 * Gives fields of a request that say nothing the description of the same field in the answer: what can be set and what is answered
 * is described once, in the schema of the answer, which no function that takes requests has to load.
 */
export function inheritDescriptions(schema: JsonSchema, answer: JsonSchema, components: Components): void {
  const source = resolved(answer, components);
  for (const part of partsOf(schema)) {
    for (const [name, member] of membersOf(part)) {
      const told = source.flatMap(membersOf).find(([other]) => other === name)?.[1];
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
const partsOf = (schema: JsonSchema): JsonSchema[] => [schema, ...(schema.anyOf ?? []).flatMap(partsOf)];

const resolved = (schema: JsonSchema, components: Components): JsonSchema[] =>
  partsOf(schema).flatMap((part) => {
    const known = typeof part.$ref === 'string' ? components[part.$ref.split('/').at(-1)!] : undefined;
    return known ? [part, ...resolved(known, components)] : [part];
  });

const membersOf = ({ properties = {} }: JsonSchema): [string, JsonSchema][] => Object.entries(properties);
