import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGateway, listen } from '../../../infra/local/gateway.ts';
import { seed } from '../../../infra/local/seed.ts';
import { createSite } from '../../../infra/site/serve.ts';
import { createSampleEvent } from '../../../shared/webhooks/events/samples.ts';
import { signatureHeaders } from '../../../shared/webhooks/signature.ts';
import { useService } from '../../service.ts';
import { hasBrowser } from '../../web/browser.ts';
import { findTypeDrift, getSnippets, nodes, type Packed, projectWith, withoutTypes } from '../project.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** Tests the packed client as an installed dependency. */
export function describeClient(packed: () => Packed, browser: () => Browser): void {
  const service = useService();
  let server: Server;
  let env: Record<string, string>;
  let project: Awaited<ReturnType<typeof projectWith>>;

  beforeAll(async () => {
    const { key } = await seed(service.stack.effects);
    server = createGateway(service.stack.apps);
    env = { ADS_URL: `http://localhost:${await listen(server, 0)}/`, ADS_KEY: key, WEBHOOK_SECRET: SECRET };
    project = await projectWith(packed(), 'client');
    for (const [heading, code] of await getSnippets('client')) {
      const name = heading.split(' ')[0]!.toLowerCase() || 'first';
      await project.write(`${name}.ts`, code);
      // On a busy machine, a response may take longer than the default timeout.
      await project.write(`${name}.mjs`, (await withoutTypes(code)).replace(/timeoutMs: \w+/, 'timeoutMs: 100000'));
    }
  });
  afterAll(() => server?.close());

  it("has the same types as the service's tables", async () => {
    expect(await findTypeDrift()).toBe('');
  });

  it('puts no key into a web page, even if its bundler writes environment variables into code', async () => {
    await project.write('bundled.js', "export { createClient } from '@conversation-ads/client';");
    const ADS_KEY = 'ak_live_secret';
    const { outputFiles } = await build({
      absWorkingDir: project.folder,
      entryPoints: ['bundled.js'],
      bundle: true,
      write: false,
      platform: 'browser',
      define: { 'process.env.ADS_KEY': JSON.stringify(ADS_KEY), 'process.env': JSON.stringify({ ADS_KEY }) },
    });
    expect(outputFiles[0]!.text).toContain('ADS_KEY');
    expect(outputFiles[0]!.text).not.toContain(ADS_KEY);
  });

  it("compiles the README's code with only the package, and rejects invalid calls", async () => {
    await project.write(
      'wrong.ts',
      `import { type Ad, type Bid, type Campaign, type ConversationMessage, createClient } from '@conversation-ads/client';
const ads = createClient({ baseUrl: '' });
const messages: ConversationMessage[] = [{ role: 'user', content: 'Shoes?' }];
const bid: Bid | null = await ads('POST /api/v1/ssp/bid', { body: { countryCode: 'US', messages } });
const ad: Ad = await ads('GET /api/v1/ssp/ad/{bidId}', { params: { bidId: bid!.bidId } });
const campaign: Campaign = await ads('POST /api/v1/campaigns', { body: { name: ad.adText } });
// @ts-expect-error a conversation has no system messages
messages.push({ role: 'system', content: campaign.name });
// @ts-expect-error this operation does not exist
ads('PUT /api/v1/campaigns');
// @ts-expect-error a bid needs messages
ads('POST /api/v1/ssp/bid', { body: { countryCode: 'US' } });
const status: 'ok' = (await ads('GET /api/v1/health')).status;
console.log(status);
`,
    );
    expect(await project.typeErrors()).toBe('');
  });

  /** Runs all examples in one Node process. Each prints its name first; the worker thread's output comes last. */
  const EXAMPLES = ['first', 'lists', 'errors', 'log', 'receive', 'agent', 'trace', 'worker'] as const;
  const RUN = `process.setSourceMapsEnabled(true); // before the packages are loaded
for (const name of ${JSON.stringify(EXAMPLES)}) {
  console.log('== ' + name);
  await import(name === 'worker' ? './worker.cjs' : './' + name + '.mjs');
}
`;
  const WORKER_THREAD = `const { createClient } = require('@conversation-ads/client');
const { isMainThread, parentPort, Worker } = require('node:worker_threads');
if (isMainThread) new Worker(__filename).on('message', (status) => console.log(status));
else createClient()('GET /api/v1/health').then(({ status }) => parentPort.postMessage(status));
`;
  /** Prints the User-Agent, in ES modules and in CommonJS. */
  const AGENT = `import { createRequire } from 'node:module';
import { createClient } from '@conversation-ads/client';
const fetch = async (_, { headers }) => (console.log(headers['user-agent']), Response.json({ status: 'ok' }));
const common = createRequire(import.meta.url)('@conversation-ads/client');
for (const create of [createClient, common.createClient])
  await create({ fetch, userAgent: 'my-chatbot/1.2' })('GET /api/v1/health');
`;
  /** Prints where the error of a failed call comes from, in ES modules and in CommonJS. */
  const TRACE = `import { createRequire } from 'node:module';
import { createClient } from '@conversation-ads/client';
const common = createRequire(import.meta.url)('@conversation-ads/client');
for (const create of [createClient, common.createClient])
  await create({ retries: 0 })('GET /api/v1/campaigns').catch(({ stack }) => console.log(stack.split('\\n')[1]));
`;
  /** A signed event, and the same event with an extra byte. */
  function receiving(): string {
    const body = JSON.stringify(createSampleEvent('ad.click', 'x', Date.now()));
    const headers = signatureHeaders('evt_1', body, [SECRET], Date.now());
    return `import { POST } from './webhooks.mjs';
const send = (body) => POST(new Request('http://localhost/', { method: 'POST', body, headers: ${JSON.stringify(headers)} }));
const body = ${JSON.stringify(body)};
console.log((await send(body)).status, (await send(body + ' ')).status);
`;
  }

  describe.each(nodes)('On Node $version', (node) => {
    let printed: Map<string, string>;
    beforeAll(async () => {
      await project.write('run.mjs', RUN);
      await project.write('receive.mjs', receiving());
      await project.write('agent.mjs', AGENT);
      await project.write('trace.mjs', TRACE);
      await project.write('worker.cjs', WORKER_THREAD);
      const parts = (await project.run(node, 'run.mjs', env)).split(/^== (\w+)\n/m);
      printed = new Map(EXAMPLES.map((name) => [name, parts[parts.indexOf(name) + 1] ?? '']));
      const advertiser = service.user('alice');
      for (const { id } of (await advertiser('GET', '/campaigns')).body) await advertiser('DELETE', `/campaigns/${id}`);
    });

    it("shows an ad with the README's first example", () => {
      expect(printed.get('first')).toMatch(
        /^Sponsored: Shoes that forgive long runs\. .* https:\/\/ads\.test\/api\/v1\/click\/[0-9a-f-]{36}\n$/,
      );
    });

    it("runs the README's list and error examples", () => {
      const lines = printed.get('lists')!.split(/\r?\n/);
      expect(lines.slice(0, 2)).toEqual([
        'Running shoes 0',
        'date,impressions,clicks,conversions,spend,conversionValue,notRelevant,viewableImpressions,suspectClicks.tooFast,suspectClicks.tooMany',
      ]);
      expect(printed.get('errors')).toMatch(/^not_found 404 Campaign not found [\w-]+ null\n$/);
    });

    it("logs each attempt with the README's example", () => {
      expect(printed.get('log')).toMatch(/^GET \/api\/v1\/health attempt 1: 200 null \d+ ms [\w-]+ null\n$/);
    });

    it('sends the version of its package and the runtime as the User-Agent', () => {
      const { version } = JSON.parse(readFileSync('packages/client/package.json', 'utf8'));
      const runtime = node.version > 20 ? ` Node.js/${node.version}` : ''; // Node 20 has no navigator
      expect(printed.get('agent')).toBe(`my-chatbot/1.2 conversation-ads-client/${version}${runtime}\n`.repeat(2));
    });

    it('maps its stack traces to the sources', () => {
      const lines = printed.get('trace')!.trim().split('\n');
      expect(lines).toHaveLength(2);
      for (const line of lines) expect(line).toMatch(/@conversation-ads\/client\/src\/error\.ts:\d+:\d+\)$/);
    });

    it("accepts only the service's signatures in the webhook example", () => {
      expect(printed.get('receive')).toMatch(/ clk_sample https:\/\/advertiser\.example\/\n200 401\n$/);
    });

    it('works in CommonJS and in worker threads', () => {
      expect(printed.get('worker')).toBe('ok\n');
    });
  });

  const PAGE = `import { createClient, verifyWebhook } from './client.js';
const ads = createClient({ baseUrl: '' });
const inPage = await ads('GET /api/v1/health');
const worker = new Worker('/assets/worker.js', { type: 'module' });
const inWorker = await new Promise((resolve) => (worker.onmessage = ({ data }) => resolve(data)));
const refused = await ads('GET /api/v1/campaigns').catch(({ code }) => code);
const forged = await verifyWebhook({ body: '{}', headers: {}, secret: 's' }).catch(({ code }) => code);
document.body.textContent = [inPage.status, inWorker.status, refused, forged].join(' ');
`;
  const WORKER = `import { createClient } from './client.js';
postMessage(await createClient({ baseUrl: location.origin + '/' })('GET /api/v1/health'));
`;

  it.skipIf(!hasBrowser)('works in a web page and in a web worker without a bundler', async () => {
    const files = {
      'index.html': '<!doctype html><body></body><script type="module" src="/assets/page.js"></script>',
      'assets/page.js': PAGE,
      'assets/worker.js': WORKER,
      'assets/client.js': readFileSync(`${project.folder}/node_modules/@conversation-ads/client/dist/index.js`, 'utf8'),
    };
    const site = createSite(new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)])));
    const pages = createGateway(service.stack.apps, site);
    try {
      const page = await browser().newPage();
      page.setDefaultTimeout(0); // the test's own timeout ends a hang, so a slow machine fails no test
      await page.goto(`http://localhost:${await listen(pages, 0)}/`);
      await page.getByText('ok ok unauthorized missing_header').waitFor();
      await page.close();
    } finally {
      pages.close();
    }
  });
}
