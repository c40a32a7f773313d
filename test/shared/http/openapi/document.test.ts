import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { example } from '../../../../events/fixture.ts';
import answers from '../../../../shared/http/openapi/answers.json' with { type: 'json' };
import { openApiDocument } from '../../../../shared/http/openapi/document.ts';
import { endpointRow } from '../../../../shared/http/operations/endpoints.ts';
import { getInput } from '../../../../shared/http/operations/inputs.ts';
import { answering, getResponses } from '../../../../shared/http/operations/responses.ts';
import { eventDescriptions } from '../../../../shared/webhooks/events/event-response.ts';
import { EVENT_TYPES } from '../../../../shared/webhooks/events/types.ts';
import { useServiceInMemory } from '../../../memory/stack.ts';

const service = useServiceInMemory();
// biome-ignore lint/suspicious/noExplicitAny: a document is looked into freely
const document: any = openApiDocument('https://ads.test', { request: example, answers });
const operations = answering.flatMap((name) => {
  const row = { ...endpointRow(name), ...getInput(name) };
  return row.methods.map((method) => ({ name, row, method, said: document.paths[row.path!][method.toLowerCase()] }));
});

// biome-ignore lint/suspicious/noExplicitAny: a document is looked into freely
const resolve = (part: any): any =>
  part.$ref
    ? part.$ref
        .slice('#/'.length)
        .split('/')
        .reduce((at: never, name: string) => at[name], document)
    : part;

/** Every field of every object in a part of the document, by its path; what is referred to is looked at where it stands. */
// biome-ignore lint/suspicious/noExplicitAny: a document is looked into freely
const fieldsIn = (part: any, path = ''): [string, any][] =>
  typeof part !== 'object' || part === null
    ? []
    : Object.entries(part).flatMap(([name, value]) =>
        ['example', 'examples'].includes(name)
          ? []
          : [
              ...(name === 'properties' && part.type === 'object'
                ? Object.entries(value as object).map(([field, schema]): [string, unknown] => [
                    `${path}.${field}`,
                    schema,
                  ])
                : []),
              ...fieldsIn(value, name === 'properties' ? path : `${path}/${name}`),
            ],
      );

describe('The OpenAPI document', () => {
  it('describes every body field, parameter, and header', () => {
    const fields = fieldsIn(document);
    expect(fields.length).toBeGreaterThan(250);
    const silent = fields.filter(([, schema]) => !schema.description && !resolve(schema).description);
    expect(silent.map(([path]) => path)).toEqual([]);
    for (const { said } of operations) {
      expect(said.description.length).toBeGreaterThan(10);
      for (const parameter of said.parameters) expect(parameter.description, parameter.name).toMatch(/\w/);
    }
  });

  it('describes a field the same way in the request and the response', () => {
    const { CreateCampaignRequest, Campaign } = document.components.schemas;
    expect(CreateCampaignRequest.properties.maxCpb.description).toBe(Campaign.properties.maxCpb.description);
    expect(CreateCampaignRequest.properties.status.description).toMatch(/`draft` \(default\)/);
  });

  it('names every object, so that generators turn it into a class', () => {
    // Objects without fixed members are dictionaries.
    const isClass = (schema: object) => 'properties' in schema;
    // biome-ignore lint/suspicious/noExplicitAny: a document is looked into freely
    const findClasses = (part: any, path: string): string[] =>
      typeof part !== 'object' || part === null
        ? []
        : Object.entries(part).flatMap(([name, value]) => [
            ...(/^(schema|items|additionalProperties)$/.test(name) && isClass(value as object)
              ? [`${path}/${name}`]
              : []),
            ...(name === 'properties'
              ? Object.entries(value as object).flatMap(([field, schema]) =>
                  isClass(schema) ? [`${path}.${field}`] : [],
                )
              : []),
            ...(/^(any|one|all)Of$/.test(name) ? (value as object[]).filter(isClass).map(() => `${path}/${name}`) : []),
            ...(/^examples?$/.test(name) ? [] : findClasses(value, `${path}/${name}`)),
          ]);
    expect(findClasses(document, '')).toEqual([]);
    expect(findClasses({ properties: { a: { anyOf: [{ properties: {} }] } } }, '')).toHaveLength(1);
  });

  it('gives a shape one name, which is an ordinary class name', () => {
    const names = Object.keys(document.components.schemas);
    expect(names).toEqual(
      expect.arrayContaining(['ConversationMessage', 'Conversation', 'Ad', 'NativeAd', 'Campaign']),
    );
    for (const name of names) expect(name).toMatch(/^([A-Z][a-z]+)+$/);
    // Languages and their libraries have these themselves.
    for (const name of ['Error', 'Message', 'Performance', 'Event', 'Object', 'Exception'])
      expect(names).not.toContain(name);
    // Generated clients have these themselves, beside the classes of the document.
    for (const name of [
      'ApiClient',
      'ApiError',
      'ApiException',
      'ApiResponse',
      'ApiResult',
      'Client',
      'Configuration',
      'Options',
    ])
      expect(names).not.toContain(name);
    const shapes = Object.groupBy(names, (name) => JSON.stringify(document.components.schemas[name]));
    expect(Object.values(shapes).filter((same) => same!.length > 1)).toEqual([]);
  });

  it('gives values a name that several objects share', () => {
    // biome-ignore lint/suspicious/noExplicitAny: a document is looked into freely
    const findEnums = (part: any): string[] =>
      typeof part !== 'object' || part === null
        ? []
        : [...(part.enum ? [JSON.stringify(part.enum)] : []), ...Object.values(part).flatMap(findEnums)];
    const lists = Object.groupBy(findEnums(document.components.schemas), (values) => values);
    // A flag is 0 or 1, and needs no name.
    const repeated = Object.values(lists).filter((same) => same!.length > 1 && !/^\["?[01]/.test(same![0]!));
    expect(repeated).toEqual([]);
    expect(document.components.schemas.Campaign.properties.status).toMatchObject({
      $ref: '#/components/schemas/CampaignStatus',
      description: expect.stringContaining('`draft` (default)'),
    });
  });

  it('describes flags and other whole values as integers, not as floating-point numbers', () => {
    // biome-ignore lint/suspicious/noExplicitAny: a document is looked into freely
    const findNumbers = (part: any, path: string): string[] =>
      typeof part !== 'object' || part === null
        ? []
        : [
            ...(part.type === 'number' && ('enum' in part || 'const' in part) ? [path] : []),
            ...Object.entries(part).flatMap(([name, value]) => findNumbers(value, `${path}/${name}`)),
          ];
    expect(findNumbers(document.components.schemas, '')).toEqual([]);
    expect(document.components.schemas.Regs.properties.coppa.anyOf[0]).toEqual({ type: 'integer', enum: [0, 1] });
  });

  it('states limits as numbers', () => {
    const { CreateCampaignRequest, SubmitBidRequest } = document.components.schemas;
    expect(CreateCampaignRequest.properties.name).toMatchObject({ minLength: 1, maxLength: 200 });
    expect(CreateCampaignRequest.properties.maxCpb.anyOf[0]).toMatchObject({ minimum: 0, maximum: 1000 });
    expect(SubmitBidRequest.properties.messages).toMatchObject({ minItems: 1, maxItems: 1000 });
    expect(document.paths['/api/v1/campaigns'].get.parameters).toContainEqual(
      expect.objectContaining({ name: 'limit', schema: { type: 'integer', minimum: 1, maximum: 1000 } }),
    );
    expect(document.paths['/api/v1/ssp/bid'].post).toMatchObject({
      'x-rate-limit': { requests: 15, seconds: 1, per: 'key' },
      'x-deadline-ms': 900,
    });
  });

  it('lists the eight events as webhooks, with payloads like those of real events', () => {
    expect(Object.keys(document.webhooks)).toEqual([...EVENT_TYPES]);
    for (const { type, body } of eventDescriptions) {
      const { example } = document.webhooks[type].post.requestBody.content['application/json'];
      expect(body.safeParse(example), type).toMatchObject({ success: true });
      expect(z.strictObject(body.shape.data.shape).safeParse(example.data), type).toMatchObject({
        success: true,
      });
    }
  });

  it('lists exactly the headers that an operation sends', { tags: 'whole' }, async () => {
    const answer = async (method: string, path: string, headers: Record<string, string>, body?: object) => {
      const { status, headers: sent } = await service.call(method, path, { headers, ...(body && { body }) });
      const said = Object.keys(document.paths[path][method.toLowerCase()].responses[status].headers);
      const usual = ['content-type', 'content-length'];
      return { said, sent: Object.keys(sent).filter((name) => !usual.includes(name)) };
    };
    const list = await answer('GET', '/api/v1/campaigns', { 'x-user-id': 'alice' });
    expect(list.said).toContain('x-total-count');
    expect(list.sent.sort()).toEqual(list.said.sort());
    const key = await service.key();
    const hello = { countryCode: 'US', messages: [{ role: 'user', content: 'hello' }], hat: 1 };
    const bid = await answer('POST', '/api/v1/ssp/bid', { 'x-api-key': key, 'x-debug': 'true' }, hello);
    expect(bid.sent.sort()).toEqual(bid.said.sort());
    const document_ = await answer('GET', '/api/v1/openapi.json', {});
    expect(document_.sent.sort()).toEqual(document_.said.sort());
  });

  it('follows the rules of OpenAPI linters', () => {
    const ids = operations.map(({ said }) => said.operationId);
    for (const id of ids) expect(id).toMatch(/^[a-z]+([A-Z][a-z]+)*$/);
    expect(document.info.license.identifier).toBe('Apache-2.0');
    const known = document.tags.map(({ name }: { name: string }) => name);
    for (const { said } of operations) {
      expect(said.summary).not.toMatch(/\.$/);
      expect(known).toContain(said.tags[0]);
      const statuses = Object.keys(said.responses);
      expect(statuses.some((status) => /^[23]/.test(status))).toBe(true);
      expect(statuses.some((status) => status.startsWith('4'))).toBe(true);
    }
    const text = JSON.stringify(document);
    for (const [kind, parts] of Object.entries(document.components).filter(([kind]) => kind !== 'securitySchemes')) {
      const idle = Object.keys(parts as object).filter((name) => !text.includes(`"#/components/${kind}/${name}"`));
      expect(idle, kind).toEqual([]);
    }
  });

  it('is valid OpenAPI 3.1 to a public validator', async () => {
    expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true });
  });

  it('is served by the service, with its own URL', { tags: 'whole' }, async () => {
    const { status, body } = await service.call('GET', '/api/v1/openapi.json');
    expect(status).toBe(200);
    expect(body).toEqual(JSON.parse(JSON.stringify(document)));
    expect(body.servers).toEqual([{ url: service.config.baseUrl }]);
  });

  it('has every method of every row once, and nothing else', () => {
    const said = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(said.sort()).toEqual(operations.map(({ method, row }) => `${method} ${row.path}`).sort());
    const ids = operations.map(({ said }) => said.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toContain('rotateWebhookSecret');
  });

  it.each(operations)('tells credential, body and refusals of $method $row.path', ({ name, row, said }) => {
    const schemes = said.security.flatMap((one: object) => Object.keys(one));
    if (row.credential === 'owner') expect(schemes).toEqual(['userId']);
    if (row.credential === 'key') expect(schemes).toContain('apiKey');
    if (row.credential === 'any-key') expect(schemes).toEqual(['bearer', 'apiKey', 'apiKeyQuery']);
    if (row.credential === 'none') expect(schemes).toEqual([]);
    expect(said.requestBody !== undefined).toBe(row.body !== undefined);
    expect('401' in said.responses).toBe(row.credential !== 'none');
    // Operations without a credential are only limited by the gateway. Trusted Match reports its rate limit with a 200.
    const isLimited = row.limit !== undefined && row.area !== 'trusted-match';
    const isOpen = ['openapi', 'health', 'trusted-match/health'].includes(name);
    expect('429' in said.responses).toBe(isLimited || isOpen);
    expect('415' in said.responses).toBe(row.body !== undefined);
    expect(Object.keys(said.responses)).toContain('500');
  });

  it('has the fixture as a valid example of every request body', () => {
    for (const { row, said } of operations.filter(({ row }) => row.body)) {
      const { content } = resolve(said.requestBody);
      expect(row.body!.safeParse(content['application/json'].example).success, row.path!).toBe(true);
    }
  });

  it('has examples that match their schemas, null included', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    formats.default(ajv);
    ajv.addSchema(document, 'document');
    let count = 0;
    // biome-ignore lint/suspicious/noExplicitAny: a document is looked into freely
    const check = (part: any, pointer: string): void => {
      if (typeof part !== 'object' || part === null) return;
      const examples = [
        ...('example' in part ? [part.example] : []),
        ...Object.values<{ value: unknown }>(part.examples ?? {}).map(({ value }) => value),
      ];
      if (part.schema && examples.length > 0) {
        const validate = ajv.compile({ $ref: `document#${pointer}/schema` });
        for (const value of examples) {
          expect(validate(value) ? [] : validate.errors, pointer).toEqual([]);
          count++;
        }
      }
      for (const [name, value] of Object.entries(part))
        if (!/^examples?$/.test(name)) check(value, `${pointer}/${encode(name)}`);
    };
    const encode = (name: string) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
    check(JSON.parse(JSON.stringify(document)), '');
    expect(count).toBeGreaterThan(300);
  });

  it('says of every field of a response that can be null what null means', () => {
    const inRequests = new Set<string>();
    const collect = (part: unknown): void => {
      for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
        if (inRequests.has(name)) continue;
        inRequests.add(name);
        collect(document.components.schemas[name]);
      }
    };
    for (const { said } of operations) collect(said.requestBody ?? {});
    const answered = Object.entries(document.components.schemas).filter(([name]) => !inRequests.has(name));
    const nullable = fieldsIn(Object.fromEntries(answered)).filter(([, { anyOf, type }]) =>
      [type, ...(anyOf ?? []).map((one: { type?: string }) => one.type)].flat().includes('null'),
    );
    expect(nullable.length).toBeGreaterThan(50);
    expect(nullable.filter(([, { description }]) => !/null/i.test(description)).map(([path]) => path)).toEqual([]);
  });

  it('contains everything that it refers to', () => {
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, ref]) => ref!.split('/'));
    expect(refs.length).toBeGreaterThan(20);
    for (const ref of refs)
      expect(
        ref.reduce((at, part) => at?.[part], document),
        ref.join('/'),
      ).toBeDefined();
  });

  it('has a response schema for every operation with a response body', () => {
    const silent = operations.filter(({ name }) => !getResponses(name).body && getResponses(name).status === undefined);
    expect(silent.map(({ name }) => name)).toEqual([]);
  });
});
