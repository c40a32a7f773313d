import type { OperationInput } from '../operations/inputs.ts';
import type { Area, Endpoint } from '../operations/rows.ts';
import type { JsonSchema, ToJsonSchema } from './schemas.ts';

/** A valid request of an operation. */
export interface Example {
  params?: Record<string, string | undefined>;
  query?: Record<string, string | undefined>;
  /** JSON text. */
  body?: string;
}

/** The row of an operation together with its input schemas. */
export type Row = Endpoint & OperationInput;

/** Descriptions of path variables. `id` is described by the path that contains it. */
const VARIABLES: Readonly<Record<string, string>> = {
  bidId: 'The `bidId` of a winning bid; any other value returns 404',
  trackingId: 'Last path segment of the ad’s `redirectUrl`',
  token: 'Token from a URL in the bid response',
  adId: 'The `id` of an ad from a legacy request',
  deliveryId: 'The `id` of a delivery, which is the ID of its event',
};
const describeId = (path: string): string =>
  `The \`id\` of the ${path.includes('/api-keys/') ? 'API key' : path.includes('/webhooks/') ? 'webhook' : 'campaign'}`;

export function describeParameters(row: Row, example: Example, toJsonSchema: ToJsonSchema) {
  const path = row.path!;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name: name!,
    in: 'path',
    required: true,
    description: VARIABLES[name!] ?? describeId(path),
    schema: { type: 'string' },
    ...shown(example.params?.[name!]),
  }));
  const query = row.query ? toJsonSchema(row.query, 'input') : {};
  const { required = [], properties = {} }: JsonSchema = query;
  const members = Object.entries(properties);
  const inQuery = members
    .filter(([name]) => !isCredential(name))
    .map(([name, { description, ...schema }]) => ({
      name,
      in: 'query',
      required: required.includes(name) && !('default' in schema),
      description,
      schema,
      ...shown(example.query?.[name], schema.type),
    }));
  return [...inPath, ...inQuery, ...explained(row.area), ...repeatable(row)];
}

/** An API key in the query belongs to the security schemes, not to the parameters. */
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
          description: 'Adds `debug` to a response that is an object, or the header `x-debug-info` to a null response.',
          schema: { type: 'string', enum: ['true'] },
        },
      ]
    : [];

const repeatable = ({ idempotent }: Row) =>
  idempotent
    ? [
        {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          description:
            'If you repeat a request with the same key and body within 24 hours, it is not executed again. The response contains what the first request created or rotated, without the secret.',
          schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
        },
      ]
    : [];

/** The credentials of the API (api 1.3). */
export const SECURITY = {
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: "A publisher's API key" },
  bearer: { type: 'http', scheme: 'bearer', description: "A publisher's API key; legacy ad serving only" },
  apiKeyQuery: {
    type: 'apiKey',
    in: 'query',
    name: 'api_key',
    description: "A publisher's API key; legacy ad serving only",
  },
  userId: { type: 'apiKey', in: 'header', name: 'x-user-id', description: 'ID of the user who owns the resources' },
} as const;

type Requirement = { readonly [S in keyof typeof SECURITY]?: readonly [] };

/** Any one of the requirements is enough. */
export const describeSecurity = ({ credential }: Endpoint): readonly Requirement[] => WAYS[credential];

const WAYS: Readonly<Record<Endpoint['credential'], readonly Requirement[]>> = {
  key: [{ apiKey: [] }],
  'any-key': [{ bearer: [] }, { apiKey: [] }, { apiKeyQuery: [] }],
  owner: [{ userId: [] }],
  none: [],
};
