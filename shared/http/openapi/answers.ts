import { descriptions } from '../operations/descriptions.ts';
import { type Answering, getResponses } from '../operations/responses.ts';
import { headerRefs } from './headers.ts';
import type { errorSchemas } from './refusals.ts';
import { listRefusals } from './refusals.ts';
import type { Row } from './requests.ts';
import type { ToJsonSchema } from './schemas.ts';

/** Recorded responses of an operation, by status and content type: `200`, `200 text/csv`, `400`. */
export type Recorded = Readonly<Record<string, unknown>>;

/** The responses to valid requests. */
export function successResponses(
  name: Answering,
  row: Row,
  method: string,
  recorded: Recorded,
  toJsonSchema: ToJsonSchema,
) {
  const { status = 200, repeated, body, alternative, none, page } = getResponses(name);
  const hasBody = body !== undefined && method !== 'HEAD';
  const answer = {
    description: status === 302 ? 'Redirects to the landing page' : descriptions[name].text,
    headers: headerRefs(name, row, status),
    ...(hasBody && {
      content: {
        'application/json': { schema: body && toJsonSchema(body, 'output'), ...shown(recorded, status) },
        ...(alternative && {
          [alternative]: {
            schema: { type: 'string', description: 'The same data as CSV, with a header line' },
            example: recorded[`${status} ${alternative}`],
          },
        }),
      },
    }),
  };
  const html = { 'text/html': { schema: { type: 'string', description: 'The page' } } };
  return {
    ...(!(page && method === 'GET') && { [status]: answer }),
    ...(page && { 200: { description: page, headers: headerRefs(name, row, 200), content: html } }),
    ...(none && { 204: { description: none, headers: headerRefs(name, row, 204) } }),
    ...(repeated && { [repeated]: { ...answer, description: 'The result of the first identical request' } }),
  };
}

function shown(recorded: Recorded, status: number) {
  const value = recorded[status];
  if (value === undefined) return {};
  return `${status} none` in recorded
    ? { examples: { bid: { value }, 'no-bid': { value: recorded[`${status} none`] } } }
    : { example: value };
}

/** The errors that an operation can return, by status, each with an example. */
export function refusalResponses(name: Answering, row: Row, recorded: Recorded) {
  // An error with status 200 is part of the schema of the 200.
  const refusals = listRefusals(name, row).filter(({ status }) => status !== 200);
  const byStatus = Object.groupBy(refusals, ({ status }) => status);
  const responses = Object.entries(byStatus).map(([status, errors = []]) => {
    const examples = errors.map((error): [string, { value: unknown }] => [
      exampleName(error.message),
      { value: status === '400' ? recorded[400] : error.body(row.area) },
    ]);
    return [
      status,
      {
        description:
          status === '400'
            ? 'One or more fields are invalid; `details` lists them'
            : errors.map(({ message }) => message).join('; or: '),
        headers: headerRefs(name, row, Number(status)),
        content: {
          'application/json': {
            schema: { $ref: `#/components/schemas/${getErrorSchema(row.area)}` },
            examples: Object.fromEntries(status === '400' ? [['invalid', { value: recorded[400] }]] : examples),
          },
        },
      },
    ];
  });
  return { ...Object.fromEntries(responses), ...refusedByGateway(row) };
}

const getErrorSchema = (area: Row['area']): keyof typeof errorSchemas =>
  area === 'ssp' ? 'SspError' : area === 'trusted-match' ? 'TrustedMatchError' : 'ServiceError';

/** Errors of the gateway itself, in its own shape. Only operations without a credential list them. */
const refusedByGateway = ({ credential, path }: Row) => {
  if (credential !== 'none') return {};
  return { [path?.includes('{') ? 'default' : 429]: OF_GATEWAY };
};

const OF_GATEWAY = {
  description: 'A response of the gateway, such as 429 if the whole deployment receives too many requests',
  content: {
    'application/json': { schema: { $ref: '#/components/schemas/GatewayError' } },
  },
};

const exampleName = (message: string): string =>
  message
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 40);
