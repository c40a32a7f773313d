import * as z from 'zod';

export interface JsonSchema {
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: readonly string[];
  [keyword: string]: unknown;
}

export type SchemaOf = (schema: z.ZodType, io: 'input' | 'output') => JsonSchema;

/** Schemas as OpenAPI writes them; those that have an id are collected under components and referred to. */
export function createSchemas() {
  const components: Record<string, JsonSchema> = {};

  /** `input`: what may be sent, before defaults and transformations; `output`: what is answered, where members may be added. */
  const schemaOf: SchemaOf = (schema, io) => {
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

  return { components, schemaOf };
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
