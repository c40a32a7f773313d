import { descriptions } from '../operations/descriptions.ts';
import { type EndpointName, endpointRow } from '../operations/endpoints.ts';
import { getInput } from '../operations/inputs.ts';
import { type Answering, answering, getResponses } from '../operations/responses.ts';
import type { Endpoint } from '../operations/rows.ts';
import { type Recorded, refusalResponses, successResponses } from './answers.ts';
import { enumSchemas } from './enums.ts';
import { headers } from './headers.ts';
import { errorSchemas } from './refusals.ts';
import { describeParameters, describeSecurity, type Example, type Row, SECURITY } from './requests.ts';
import { createSchemas, inheritDescriptions, type JsonSchema } from './schemas.ts';
import { describeWebhooks } from './webhooks.ts';

/** Sources of the examples: the fixtures, and the recorded responses to them. */
interface Samples {
  request(name: EndpointName): Example;
  answers: Readonly<Record<string, Recorded>>;
}

const INFO = {
  title: 'Conversation Ads API',
  version: '1',
  description:
    'Submit a conversation and get a CPM bid. Retrieve the ad of a winning bid, then redirect its click. ' +
    'Send `X-Debug: true` to see why a bid was or was not made.',
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
};

/** Descriptions of the tags. A tag is the first part of an operation's name. */
const TAGS = {
  ssp: 'Two-step bidding: submit a conversation for a bid, then retrieve the ad of a winning bid',
  openrtb2: 'OpenRTB 2.6 bidding for exchanges',
  'trusted-match': 'AdCP Trusted Match for AI platforms; experimental',
  click: 'Click tracking and redirects',
  feedback: 'What readers say about ads',
  viewable: 'Which ads were visible',
  legacy: 'Deprecated: request ads in one step',
  conversions: 'Conversions after clicks',
  'api-keys': 'API keys and settings of publishers',
  campaigns: 'Campaigns of advertisers',
  webhooks: 'Webhooks that receive events',
  reports: 'Reports over all campaigns',
  account: 'Statements of a user, and an overview of all campaigns and API keys',
  service: 'Health and API description',
  events: 'Events sent to webhooks',
};

/** The OpenAPI 3.1 document of the service. It is generated from the table of operations, so a new operation appears by itself. */
export function openApiDocument(baseUrl: string, samples: Samples) {
  const { components, toJsonSchema } = createSchemas();
  const paths: Record<string, Record<string, unknown>> = {};

  /** The request body of an operation. Its schema becomes a component. */
  function requestBody(name: Answering, row: Row, { body = '{}' }: Example) {
    const component = `${capital(descriptions[name].id)}Request`;
    const schema = toJsonSchema(row.body!, 'input');
    const { body: answer, describedBy } = getResponses(name);
    for (const source of [answer, describedBy])
      if (source) inheritDescriptions(schema, toJsonSchema(source, 'output'), components);
    components[component] = schema;
    return {
      required: true,
      description: `JSON of at most 1 MiB (1,048,576 bytes)`,
      content: {
        'application/json': { schema: { $ref: `#/components/schemas/${component}` }, example: JSON.parse(body) },
      },
    };
  }

  function operation(name: Answering, row: Row, method: string) {
    const example = samples.request(name);
    const recorded = samples.answers[name] ?? {};
    const { id, text } = descriptions[name];
    return {
      operationId: method === row.methods[0] ? id : `${id}${capital(method.toLowerCase())}`,
      tags: [getTag(name)],
      summary: row.summary,
      description: text,
      ...(row.area === 'legacy' && { deprecated: true }),
      ...(name.startsWith('trusted-match/') && { 'x-status': 'experimental' }),
      ...describeLimits(row),
      security: describeSecurity(row),
      parameters: describeParameters(row, example, toJsonSchema),
      ...(row.body && { requestBody: requestBody(name, row, example) }),
      responses: {
        ...successResponses(name, row, method, recorded, toJsonSchema),
        ...refusalResponses(name, row, recorded),
      },
    };
  }

  for (const name of answering) {
    const row = { ...endpointRow(name), ...getInput(name) };
    const path = row.path!;
    for (const method of row.methods) {
      paths[path] = { ...paths[path], [method.toLowerCase()]: operation(name, row, method) };
    }
  }
  const webhooks = describeWebhooks(toJsonSchema);

  return {
    openapi: '3.1.0',
    info: { ...INFO, contact: { name: 'The operator of this service', url: baseUrl } },
    servers: [{ url: baseUrl }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: {
      schemas: { ...components, ...enumSchemas, ...errorSchemas } satisfies Record<string, JsonSchema>,
      headers,
      securitySchemes: SECURITY,
    },
  };
}

const getTag = (name: Answering): string => (name.includes('/') ? name.split('/')[0]! : 'service');

/** Rate limit and deadline as numbers that programs can read. */
const describeLimits = ({ limit, credential, deadlineMs }: Endpoint) => ({
  ...(limit && {
    'x-rate-limit': {
      requests: limit.max,
      seconds: 'group' in limit ? 60 : 1,
      per: credential === 'owner' ? 'user' : 'key',
      ...('group' in limit && { 'shared-by': limit.group }),
    },
  }),
  ...(deadlineMs && { 'x-deadline-ms': deadlineMs }),
});

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
