import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGateway, listen } from '../../../infra/local/gateway.ts';
import { seed } from '../../../infra/local/seed.ts';
import { createSite } from '../../../infra/site/serve.ts';
import { createSampleEvent } from '../../../shared/webhooks/events/samples.ts';
import { signatureHeaders } from '../../../shared/webhooks/signature.ts';
import { useService } from '../../service.ts';
import { hasBrowser } from '../../web/browser.ts';
import { driftOfTypes, nodes, type Packed, projectWith, snippetsOf, withoutTypes } from '../project.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** What the packed client does for those who install it. */
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
    for (const [heading, code] of await snippetsOf('client')) {
      const name = heading.split(' ')[0]!.toLowerCase() || 'first';
      await project.write(`${name}.ts`, code);
      // On a busy machine an answer may take longer than a reader would wait.
      await project.write(`${name}.mjs`, (await withoutTypes(code)).replace(/timeoutMs: \w+/, 'timeoutMs: 100000'));
    }
  });
  afterAll(() => server?.close());

  it('The types that it is built with are those of the tables of the service', async () => {
    expect(await driftOfTypes()).toBe('');
  });

  it("What the README shows compiles against the package alone, and what the service does not take doesn't", async () => {
    await project.write(
      'wrong.ts',
      `import { createClient } from '@conversation-ads/client';
const ads = createClient({ baseUrl: '' });
// @ts-expect-error there is no such operation
ads('PUT /api/v1/campaigns');
// @ts-expect-error a bid needs messages
ads('POST /api/v1/ssp/bid', { body: { countryCode: 'US' } });
const status: 'ok' = (await ads('GET /api/v1/health')).status;
console.log(status);
`,
    );
    expect(await project.typeErrors()).toBe('');
  });

  /** Each prints after a line with its name, in one start of Node; what a worker thread has to say comes last. */
  const EXAMPLES = ['first', 'lists', 'errors', 'receive', 'worker'] as const;
  const RUN = `for (const name of ${JSON.stringify(EXAMPLES)}) {
  console.log('== ' + name);
  await import(name === 'worker' ? './worker.cjs' : './' + name + '.mjs');
}
`;
  const WORKER_THREAD = `const { createClient } = require('@conversation-ads/client');
const { isMainThread, parentPort, Worker } = require('node:worker_threads');
if (isMainThread) new Worker(__filename).on('message', (status) => console.log(status));
else createClient({ baseUrl: process.env.ADS_URL })('GET /api/v1/health').then(({ status }) => parentPort.postMessage(status));
`;
  /** An event as the service signs it, and the same with a byte more. */
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
      await project.write('worker.cjs', WORKER_THREAD);
      const parts = (await project.run(node, 'run.mjs', env)).split(/^== (\w+)\n/m);
      printed = new Map(EXAMPLES.map((name) => [name, parts[parts.indexOf(name) + 1] ?? '']));
      const advertiser = service.user('alice');
      for (const { id } of (await advertiser('GET', '/campaigns')).body) await advertiser('DELETE', `/campaigns/${id}`);
    });

    it('the first example of the README shows an ad', () => {
      expect(printed.get('first')).toMatch(
        /^Sponsored: Shoes that forgive long runs\. .* https:\/\/ads\.test\/api\/v1\/click\/[0-9a-f-]{36}\n$/,
      );
    });

    it('the examples of lists and of errors do what the README says', () => {
      const lines = printed.get('lists')!.split(/\r?\n/);
      expect(lines.slice(0, 2)).toEqual(['Running shoes 0', 'date,impressions,clicks,conversions,spend']);
      expect(printed.get('errors')).toMatch(/^not_found 404 Campaign not found [\w-]+ null\n$/);
    });

    it('the example of webhooks takes what the service signs, and nothing else', () => {
      expect(printed.get('receive')).toMatch(/ clk_sample https:\/\/advertiser\.example\/\n200 401\n$/);
    });

    it('CommonJS and worker threads have it too', () => {
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

  it.skipIf(!hasBrowser)('In a page and in its worker the package works as it is, without a bundler', async () => {
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
      page.setDefaultTimeout(0); // what hangs is ended with its test; how fast the machine is decides nothing
      await page.goto(`http://localhost:${await listen(pages, 0)}/`);
      await page.getByText('ok ok unauthorized missing_header').waitFor();
      await page.close();
    } finally {
      pages.close();
    }
  });
}
