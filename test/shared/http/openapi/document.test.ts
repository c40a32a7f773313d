import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { example } from '../../../../events/fixture.ts';
import { openApiDocument } from '../../../../shared/http/openapi/document.ts';
import { endpointRow } from '../../../../shared/operations/endpoints.ts';
import { inputOf } from '../../../../shared/operations/inputs.ts';
import { answering, responsesOf } from '../../../../shared/operations/responses.ts';
import { useService } from '../../../harness.ts';

const service = useService();
// biome-ignore lint/suspicious/noExplicitAny: a document is looked into freely
const document: any = openApiDocument('https://ads.test', example);
const operations = answering.flatMap((name) => {
  const row = { ...endpointRow(name), ...inputOf(name) };
  return row.methods.map((method) => ({ name, row, method, said: document.paths[row.path!][method.toLowerCase()] }));
});

describe('The OpenAPI document', () => {
  it('is valid OpenAPI 3.1 to a public validator', async () => {
    expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true });
  });

  it('is what the service answers, with its own address', async () => {
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
    expect(ids).toContain('webhooksRotateSecret');
  });

  it.each(operations)('tells credential, body and refusals of $method $row.path', ({ row, said }) => {
    const schemes = said.security.flatMap((one: object) => Object.keys(one));
    if (row.credential === 'owner') expect(schemes).toEqual(['userId']);
    if (row.credential === 'key') expect(schemes).toContain('apiKey');
    if (row.credential === 'any-key') expect(schemes).toEqual(['bearer', 'apiKey', 'apiKeyQuery']);
    if (row.credential === 'none') expect(schemes).toEqual([]);
    expect(said.requestBody !== undefined).toBe(row.body !== undefined);
    expect('401' in said.responses).toBe(row.credential !== 'none');
    expect('429' in said.responses).toBe(row.limit !== undefined);
    expect('415' in said.responses).toBe(row.body !== undefined);
    expect(Object.keys(said.responses)).toContain('500');
  });

  it('shows a valid request of every operation with a body: its fixture', () => {
    for (const { row, said } of operations.filter(({ row }) => row.body)) {
      expect(row.body!.safeParse(said.requestBody.content['application/json'].example).success, row.path!).toBe(true);
    }
  });

  it('refers to nothing that it does not hold', () => {
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, ref]) => ref!.split('/'));
    expect(refs.length).toBeGreaterThan(20);
    for (const ref of refs)
      expect(
        ref.reduce((at, part) => at?.[part], document),
        ref.join('/'),
      ).toBeDefined();
  });

  it('names what is answered for every operation that answers with a body', () => {
    const silent = operations.filter(({ name }) => !responsesOf(name).body && responsesOf(name).status !== 302);
    expect(silent.map(({ name }) => name)).toEqual([]);
  });
});
