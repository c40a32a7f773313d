import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ErrorObject } from 'ajv';
import formats from 'ajv-formats';
import { fixture } from '../events/fixture.ts';
import { createLocalEffects } from '../infra/local/effects.ts';
import { createGateway, listen } from '../infra/local/gateway.ts';
import { seed } from '../infra/local/seed.ts';
import { startStack } from '../infra/local/stack.ts';
import { keyFingerprint } from '../shared/keys/credential.ts';
import { MINUTE_MS } from '../shared/platform/clock.ts';
import { readConfig } from '../shared/platform/config.ts';
import { createLog } from '../shared/platform/log.ts';
import { systemClock } from '../shared/platform/system-clock.ts';

const REQUEST = '/schemas/trusted-match/context-match-request.json';
const RESPONSE = '/schemas/trusted-match/provider-context-match-response.json';
const ERROR = '/schemas/trusted-match/error.json';

/** Finds the schema folder: a subfolder of a checkout, or `folder` itself. Undefined if there are no schemas. */
const findSchemas = (folder: string): string | undefined =>
  [folder, join(folder, 'static/schemas/source')].find((path) =>
    existsSync(join(path, REQUEST.replace('/schemas', ''))),
  );

/** Returns the errors of a value, empty if it is valid. */
type Validate = (id: string, value: unknown) => ErrorObject[];

/** Compiles schemas by `$id` on first use. Ignores the OpenAPI keywords in them. */
function createValidator(folder: string): Validate {
  const ajv = new Ajv({ strict: false, allErrors: true });
  formats.default(ajv);
  const schemas = globSync('**/*.json', { cwd: folder }).map((file) =>
    JSON.parse(readFileSync(join(folder, file), 'utf8')),
  );
  for (const [id, schema] of new Map(schemas.map((schema) => [schema.$id, schema]))) if (id) ajv.addSchema(schema);
  return (id, value) => {
    const validate = ajv.getSchema(id);
    if (!validate) throw new Error(`There is no schema ${id}`);
    return validate(value) ? [] : (validate.errors ?? []);
  };
}

/** A request and its expected response. */
interface Case {
  name: string;
  body: object;
  /** The schema of the response, and its number of offers. */
  schema: typeof RESPONSE | typeof ERROR;
  offers?: number;
  /** Whether the request violates the protocol. */
  isWrong?: true;
}

function createCases(): Case[] {
  const whole = JSON.parse(fixture('trusted-match/context').body!);
  const { artifact: _, context_signals: signals, ...bare } = whole;
  const about = (summary: string) => ({ ...bare, context_signals: { ...signals, topics: [], keywords: [], summary } });
  const none = { schema: RESPONSE, offers: 0 } as const;
  return [
    { name: 'signals and an artifact', body: whole, schema: RESPONSE, offers: 1 },
    { name: 'a summary', body: about('Where to book a holiday home by a lake'), schema: RESPONSE, offers: 1 },
    { name: 'another summary', body: about('Comparing quotes for cheaper car insurance'), schema: RESPONSE, offers: 1 },
    { name: 'small talk', body: about('Thanking and saying goodbye'), ...none },
    { name: 'nothing said', body: bare, ...none },
    { name: 'a web site', body: { ...whole, property_type: 'website' }, ...none },
    { name: 'an unknown seller', body: { ...whole, seller_agent_url: 'https://other.example' }, ...none },
    { name: 'unknown packages', body: { ...whole, package_ids: ['pkg-1'] }, ...none },
    { name: 'another message', body: { ...whole, type: 'identity_match_request' }, schema: ERROR, isWrong: true },
    { name: 'no seller', body: { ...whole, seller_agent_url: undefined }, schema: ERROR, isWrong: true },
    { name: 'no object', body: [], schema: ERROR, isWrong: true },
  ];
}

/** Sends every request once, and once more when the rate limit is reached. @returns one line per error */
async function check(
  faultsIn: Validate,
  ask: (body: object) => Promise<object>,
  fillRateLimit: () => Promise<unknown>,
): Promise<string[]> {
  const wrong: string[] = [];
  const judge = (name: string, schema: string, value: unknown) => {
    const faults = faultsIn(schema, value);
    console.log(`${faults.length === 0 ? 'valid' : 'WRONG'}  ${name}`);
    wrong.push(...faults.map(({ instancePath, message }) => `${name}: ${instancePath} ${message}`));
  };
  for (const { name, body, schema, offers, isWrong } of createCases()) {
    if (!isWrong) judge(`request: ${name}`, REQUEST, body);
    const answer = await ask(body);
    judge(`response: ${name}`, schema, answer);
    const got = 'offers' in answer && Array.isArray(answer.offers) ? answer.offers.length : undefined;
    if (got !== offers) wrong.push(`${name}: ${got} offers and not ${offers}`);
  }
  await fillRateLimit();
  judge('response: too many requests', ERROR, await ask(createCases()[0]!.body));
  return wrong;
}

/** `npm run check -- trusted-match <folder>`: validates responses of the service with the schemas of the protocol. */
async function main(folder: string | undefined): Promise<void> {
  const schemas = folder && findSchemas(folder);
  if (!schemas) {
    console.log(folder ? `${folder} contains no Trusted Match schemas.` : 'Nothing checked: schemas are required.');
    console.log('npm run check -- trusted-match <folder of a checkout of adcontextprotocol/adcp>');
    if (folder) process.exitCode = 1;
    return;
  }
  const config = readConfig(
    {
      DATA_DIR: ':memory:',
      LOG_LEVEL: 'error',
      BASE_URL: 'https://ads.test',
    },
    true,
  );
  const stack = await startStack(createLocalEffects(config, createLog('error')));
  const server = createGateway(stack.apps);
  try {
    const { key } = await seed(stack.effects);
    const address = `http://127.0.0.1:${await listen(server, 0)}/api/v1/trusted-match/context`;
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const ask = async (body: object): Promise<object> => {
      const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) });
      return Object(await answer.json());
    };
    const fillSecond = () =>
      stack.effects.db.write({
        table: 'api-keys',
        key: { id: keyFingerprint(key) },
        update: 'SET #exchangeCount = :most, #exchangeEndsAt = :ends',
        values: { most: config.exchangeRequestsPerSecond, ends: systemClock.now() + MINUTE_MS },
      });
    const wrong = await check(createValidator(schemas), ask, fillSecond);
    console.log(wrong.length === 0 ? 'All requests and responses match the schemas.' : wrong.join('\n'));
    if (wrong.length > 0) process.exitCode = 1;
  } finally {
    server.close();
    await stack.stop();
  }
}

await main(process.argv[2]);
