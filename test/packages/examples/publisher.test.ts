import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGateway, listen } from '../../../infra/local/gateway.ts';
import { seed } from '../../../infra/local/seed.ts';
import { useServiceInMemory } from '../../memory/stack.ts';

// @module-tag whole
const service = useServiceInMemory();
let server: Server;
let ADS_URL: string;

beforeAll(async () => {
  await seed(service.stack.effects);
  server = createGateway(service.stack.apps);
  ADS_URL = `http://localhost:${await listen(server, 0)}`;
});
afterAll(() => server.close());

describe("The publisher's example", () => {
  it('shows an ad with its label, in the environment that the README sets', async () => {
    const [set = ''] = /^export ADS_URL=.*$/m.exec(readFileSync('README.md', 'utf8')) ?? [];
    const script = `${set.replace('http://localhost:3000', ADS_URL)} && exec "$0" packages/examples/publisher.ts`;
    const { stdout } = await promisify(execFile)('bash', ['-c', script, process.execPath]);
    const [label, text, url] = stdout.split('\n');
    expect(label).toBe('Sponsored · Fleet Feet');
    expect(text).toMatch(/^Shoes that forgive long runs\. /);
    expect(url).toMatch(/^https:\/\/ads\.test\/api\/v1\/click\/[0-9a-f-]{36}$/);
  });

  it('has at most 20 lines, and is in the README with the import of the installed package', () => {
    const example = readFileSync('packages/examples/publisher.ts', 'utf8');
    expect(example.trimEnd().split('\n').length).toBeLessThanOrEqual(20);
    const installed = example.replace('../client/src/index.ts', '@conversation-ads/client');
    expect(readFileSync('README.md', 'utf8')).toContain(`\`\`\`ts\n${installed}\`\`\``);
  });
});
