import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { ZodType } from 'zod';
import { type Area, type Endpoint, type EndpointName, endpointNames, endpointRow } from '../../operations/endpoints.ts';
import { responsesOf } from '../../operations/responses.ts';
import { errorSchemas } from './error-schemas.ts';
import { headerRefs, headers } from './headers.ts';
import { refusalsOf } from './refusals.ts';
import { createSchemas, type JsonSchema } from './schemas.ts';
import { SECURITY, securityOf } from './security.ts';

type Fixture = Pick<APIGatewayProxyEventV2, 'body' | 'pathParameters' | 'queryStringParameters'>;

/**
 * The service in OpenAPI 3.1, made from the table of operations: an operation that joins the table is in it by itself.
 * `fixture` gives the valid request of an operation, which becomes its example.
 */
export function openApiDocument(baseUrl: string, fixture: (name: EndpointName) => Fixture) {
  const { components, schemaOf } = createSchemas();
  const paths: Record<string, Record<string, unknown>> = {};

  function operation(name: EndpointName, row: Endpoint, method: string) {
    const example = fixture(name);
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
      responses: { ...success(name, row, method), ...refusals(name, row) },
    };
  }

  function success(name: EndpointName, row: Endpoint, method: string) {
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

  function refusals(name: EndpointName, row: Endpoint) {
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

  for (const name of endpointNames) {
    const row = endpointRow(name);
    if (row.path === null) continue;
    for (const method of row.methods) {
      paths[row.path] = { ...paths[row.path], [method.toLowerCase()]: operation(name, row, method) };
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

const tagsOf = (operation: unknown): string[] => (operation as { tags: string[] }).tags;

/** `api-keys/create` is apiKeysCreate. */
export const operationId = (name: EndpointName): string =>
  name.replaceAll(/[/-](\w)/g, (_, letter: string) => letter.toUpperCase());

const exampleName = (message: string): string =>
  message
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 40);

function parametersOf(row: Endpoint, example: Fixture, schemaOf: (schema: ZodType, io: 'input') => JsonSchema) {
  const inPath = [...row.path!.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name: name!,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    ...exampleOf(example.pathParameters?.[name!]),
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
      ...exampleOf(example.queryStringParameters?.[name], schema.type),
    }));
  return [...inPath, ...inQuery, ...explained(row.area)];
}

/** A key in the query is told by the security schemes. */
const isCredential = (name: string): boolean => name === SECURITY.apiKeyQuery.name;

const exampleOf = (value: string | undefined, type: unknown = 'string') =>
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
