import type { ZodType } from 'zod';
import { type EndpointName, endpointRow } from '../../operations/endpoints.ts';
import { inputOf, type OperationInput } from '../../operations/inputs.ts';
import { type Answering, answering, responsesOf } from '../../operations/responses.ts';
import type { Area, Endpoint } from '../../operations/rows.ts';
import { errorSchemas } from './error-schemas.ts';
import { headerRefs, headers } from './headers.ts';
import { refusalsOf } from './refusals.ts';
import { createSchemas, type JsonSchema } from './schemas.ts';
import { SECURITY, securityOf } from './security.ts';

/** A valid request of an operation. */
export interface Example {
  params?: Record<string, string | undefined>;
  query?: Record<string, string | undefined>;
  /** JSON. */
  body?: string;
}

/** What the tables of operations and of inputs say of an operation. */
type Row = Endpoint & OperationInput;

type SchemaOf = (schema: ZodType, io: 'input' | 'output') => JsonSchema;

/**
 * The service in OpenAPI 3.1, made from the table of operations: an operation that joins the table is in it by itself.
 * `exampleOf` gives the valid request of an operation that it shows.
 */
export function openApiDocument(baseUrl: string, exampleOf: (name: EndpointName) => Example) {
  const { components, schemaOf } = createSchemas();
  const paths: Record<string, Record<string, unknown>> = {};

  function operation(name: Answering, row: Row, method: string) {
    const example = exampleOf(name);
    return {
      operationId: operationId(name) + (method === row.methods[0] ? '' : method.toLowerCase()),
      tags: [name.includes('/') ? name.split('/')[0] : 'service'],
      summary: row.summary,
      ...(row.area === 'legacy' && { deprecated: true }),
      security: securityOf(row),
      parameters: parametersOf(row, example, schemaOf),
      ...(row.body && {
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: schemaOf(row.body, 'input'), example: JSON.parse(example.body ?? '{}') },
          },
        },
      }),
      responses: { ...success(name, row, method, schemaOf), ...refusals(name, row) },
    };
  }

  for (const name of answering) {
    const row = { ...endpointRow(name), ...inputOf(name) };
    const path = row.path!;
    for (const method of row.methods) {
      paths[path] = { ...paths[path], [method.toLowerCase()]: operation(name, row, method) };
    }
  }

  return {
    openapi: '3.1.0',
    info: {
      title: 'Contextual ads for conversations',
      version: '1',
      description:
        'Submit a conversation, get a CPM bid; exchange a won bid for its ad; follow its click. ' +
        'Send `X-Debug: true` to learn why a bid came out as it did.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    tags: [...new Set(Object.values(paths).flatMap((path) => Object.values(path).flatMap(tagsOf)))].map((name) => ({
      name,
    })),
    paths,
    components: { schemas: { ...components, ...errorSchemas }, headers, securitySchemes: SECURITY },
  };
}

/** The answers to what was asked rightly. */
function success(name: Answering, row: Row, method: string, schemaOf: SchemaOf) {
  const { status = 200, repeated, body, alternative } = responsesOf(name);
  const hasBody = status !== 302 && method !== 'HEAD';
  const answer = {
    description: status === 302 ? 'Leads on to the landing page' : row.summary,
    headers: headerRefs(row, status),
    ...(hasBody && {
      content: {
        'application/json': { schema: body ? schemaOf(body, 'output') : {} },
        ...(alternative && { [alternative]: { schema: { type: 'string' } } }),
      },
    }),
  };
  return {
    [status]: answer,
    ...(repeated && { [repeated]: { ...answer, description: 'What a first request like it made' } }),
  };
}

/** The errors that an operation can answer with, by their status, each with an example. */
function refusals(name: Answering, row: Row) {
  const byStatus = Object.groupBy(refusalsOf(name, row), ({ status }) => status);
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, errors = []]) => [
      status,
      {
        description: errors.map(({ message }) => message).join('; or: '),
        headers: headerRefs(row, Number(status)),
        content: {
          'application/json': {
            schema: { $ref: `#/components/schemas/${row.area === 'ssp' ? 'SspError' : 'Error'}` },
            examples: Object.fromEntries(
              errors.map((error) => [exampleName(error.message), { value: error.body(row.area) }]),
            ),
          },
        },
      },
    ]),
  );
}

const tagsOf = (operation: unknown): string[] => (operation as { tags: string[] }).tags;

/** `api-keys/create` is apiKeysCreate. */
const operationId = (name: EndpointName): string =>
  name.replaceAll(/[/-](\w)/g, (_, letter: string) => letter.toUpperCase());

const exampleName = (message: string): string =>
  message
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 40);

function parametersOf(row: Row, example: Example, schemaOf: SchemaOf) {
  const inPath = [...row.path!.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name: name!,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    ...shown(example.params?.[name!]),
  }));
  const query = row.query ? schemaOf(row.query, 'input') : {};
  const required = (query.required ?? []) as string[];
  const members = Object.entries((query.properties ?? {}) as Record<string, JsonSchema>);
  const inQuery = members
    .filter(([name]) => !isCredential(name))
    .map(([name, schema]) => ({
      name,
      in: 'query',
      required: required.includes(name) && !('default' in schema),
      schema,
      ...shown(example.query?.[name], schema.type),
    }));
  return [...inPath, ...inQuery, ...explained(row.area)];
}

/** A key in the query is told by the security schemes. */
const isCredential = (name: string): boolean => name === SECURITY.apiKeyQuery.name;

const shown = (value: string | undefined, type: unknown = 'string') =>
  value === undefined ? {} : { example: type === 'integer' ? Number(value) : value };

const explained = (area: Area) =>
  area === 'ssp' || area === 'legacy'
    ? [
        {
          name: 'X-Debug',
          in: 'header',
          required: false,
          description: 'Adds `debug` to an answer that is an object, and the header `x-debug-info` to a null.',
          schema: { type: 'string', enum: ['true'] },
        },
      ]
    : [];
