import { readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startEdge } from '../../../infra/edge/runtime.ts';
import { createGateway, listen } from '../../../infra/local/gateway.ts';
import { useService } from '../../service.ts';
import { getSnippets, nodes, type Packed, projectWith, withoutTypes } from '../project.ts';

/** Why no Worker can run on this machine; undefined if one can. */
const noEdge = await import('miniflare').then(
  () => undefined,
  ({ message }: Error) => message,
);

/** Tests the packed AI SDK package as an installed dependency. */
export function describeComponent(packed: () => Packed): void {
  const service = useService({ LOG_LEVEL: 'silent' });
  let server: Server;
  let env: Record<string, string>;
  /** The User-Agents of the requests that the service received. */
  const userAgents = new Set<string | undefined>();
  let project: Awaited<ReturnType<typeof projectWith>>;

  /** The README's placeholder for the reader's own model. */
  const MODEL_TYPES = "export declare const model: Parameters<typeof import('ai').wrapLanguageModel>[0]['model'];\n";
  /** Importing the element declares it, with its properties and events. */
  const ELEMENT = `import '@conversation-ads/ai/card';
const card = document.createElement('sponsored-card');
card.data = { disclosure: 'Sponsored', token: 't' };
card.render = ({ headline }, place) => place.append(headline);
card.addEventListener('viewed', ({ detail: { type, bidId } }) => console.log(type, bidId));
// @ts-expect-error The element has no such property.
card.ad = undefined;
`;
  /** On a busy machine, a bid may miss its 400 ms. Then the answer has no ad, and the next question gets one. */
  const DRIVER = `import { createRequire } from 'node:module';
import { chat, sponsored } from './server.mjs';
// A server may import what its pages import.
await import('@conversation-ads/ai/card');
createRequire(import.meta.url)('@conversation-ads/ai/card');
const post = (body) => new Request('http://chat.test/', { method: 'POST', body: JSON.stringify(body) });
const parts = [{ type: 'text', text: 'Which running shoes would you recommend for a beginner?' }];
async function ask() {
  const stream = await (await chat(post({ messages: [{ id: '1', role: 'user', parts }] }))).text();
  const chunks = stream.split('\\n').filter((line) => line.startsWith('data: {')).map((line) => JSON.parse(line.slice(6)));
  return chunks.find(({ type }) => type === 'data-sponsored');
}
let part;
for (let turn = 0; turn < 15 && !part; turn++) part = await ask();
const { data } = part;
const ad = await (await sponsored(post({ token: data.token }))).json();
console.log(data.disclosure, '|', ad.headline, '|', ad.url);
await import('./same.cjs');
await import('./same.mjs');
await import('./worker.cjs');
`;
  const LINE_DRIVER = `import { answer } from './line.mjs';
let text = '';
for (let turn = 0; turn < 15 && !text.includes('Sponsored'); turn++) text = await answer('Which running shoes should I buy?');
console.log(text);
`;
  /** The error of \`onError\` is an instance of AdsError as imported from either package. */
  const SAME = `const isSame = AdsError === client.AdsError;
const { turn } = createSponsor({
  baseUrl: 'http://localhost:1',
  apiKey: 'k',
  fetch: () => Promise.reject(new TypeError('fetch failed')),
  onError: (error) => console.log(isSame, error instanceof client.AdsError, error.code),
});
const { middleware, part } = turn({ countryCode: 'US' });
middleware.transformParams({ params: { prompt: [{ role: 'user', content: 'Shoes?' }] } }).then(part);
`;
  const WORKER_THREAD = `const { createSponsor } = require('@conversation-ads/ai');
const { isMainThread, parentPort, Worker } = require('node:worker_threads');
if (isMainThread) new Worker(__filename).on('message', (status) => console.log(status));
else createSponsor({ baseUrl: 'https://ads.test', apiKey: 'k' }).route(new Request('http://chat.test/')).then(({ status }) => parentPort.postMessage(status));
`;

  /** Both packages have the same version. */
  function userAgentOn(runtime: string): string {
    const { version } = JSON.parse(readFileSync('packages/ai/package.json', 'utf8'));
    return `conversation-ads-ai/${version} conversation-ads-client/${version}${runtime}`;
  }

  beforeEach(() => userAgents.clear());
  beforeAll(async () => {
    await service.campaign();
    server = createGateway(service.stack.apps);
    server.on('request', ({ headers }) => userAgents.add(headers['user-agent']));
    env = { ADS_URL: `http://localhost:${await listen(server, 0)}`, ADS_KEY: await service.key() };
    // Warm up: the first bid of a process loads the lexicon, which may take longer than the 400 ms of a chat.
    await service.bid(env.ADS_KEY!);
    project = await projectWith(packed(), 'ai');
    for (const name of ['react', '@types/react']) await project.link(name);
    for (const file of ['model.mjs', 'answers.mjs'])
      await cp(`packages/examples/ai-chat/${file}`, join(project.folder, file));
    const snippets = await getSnippets('ai');
    await project.write('server.ts', snippets.get('On your server')!);
    await project.write('server.mjs', await withoutTypes(snippets.get('On your server')!));
    await project.write('line.ts', snippets.get('One line')!);
    await project.write('line.mjs', await withoutTypes(snippets.get('One line')!));
    await project.write('line-driver.mjs', LINE_DRIVER);
    await project.write('message.tsx', snippets.get('In your page')!);
    await project.write('element.ts', ELEMENT);
    await project.write('model.d.mts', MODEL_TYPES);
    await project.write('driver.mjs', DRIVER);
    await project.write('worker.cjs', WORKER_THREAD);
    await project.write(
      'same.cjs',
      `const client = require('@conversation-ads/client');\nconst { AdsError, createSponsor } = require('@conversation-ads/ai');\n${SAME}`,
    );
    await project.write(
      'same.mjs',
      `import * as client from '@conversation-ads/client';\nimport { AdsError, createSponsor } from '@conversation-ads/ai';\n${SAME}`,
    );
  });
  afterAll(() => server?.close());

  describe.each([
    { major: 6, installed: 'ai-6', on: 20 },
    { major: 7, installed: 'ai', on: 24 },
  ])('With major $major of the AI SDK', ({ installed, on }) => {
    beforeAll(() => project.link(installed, 'ai'));
    const node = nodes.find(({ version }) => version === on);

    it("compiles the README's code, and code with the element", async () => {
      expect(await project.typeErrors()).toBe('');
    });

    it.skipIf(!node)(
      `produces a part and then its ad with the README's code on Node ${on}, also in CommonJS and in worker threads`,
      async () => {
        expect(await project.run(node!, 'driver.mjs', env)).toMatch(
          /^Sponsored \| .+ \| https:\/\/.+\/api\/v1\/click\/.{36}\n(true true network\n){2}405\n$/,
        );
        expect([...userAgents]).toEqual([userAgentOn(on > 20 ? ` Node.js/${on}` : '')]); // Node 20 has no navigator
      },
    );
  });

  it("ends an answer with a labeled ad with the README's one line, in both majors", async () => {
    for (const installed of ['ai-6', 'ai']) {
      await project.link(installed, 'ai');
      expect(await project.run(nodes[0]!, 'line-driver.mjs', env)).toMatch(
        /^For a first pair.*\n\n---\n\n\*Sponsored · .*\* {2}\n\*\*Run further\*\* {2}\n.*\(https:\/\/.*\/api\/v1\/click\/.{36}\)\n$/s,
      );
    }
  });

  it('keeps the card in a bundle that only imports it, without dependencies', async () => {
    const page = { contents: "import '@conversation-ads/ai/card';", resolveDir: project.folder };
    const { outputFiles, metafile } = await build({ stdin: page, bundle: true, write: false, metafile: true });
    expect(outputFiles[0]!.text).toContain('customElements.define');
    expect(Object.keys(metafile.inputs)).toEqual([expect.stringMatching(/ai\/dist\/card\.js$/), '<stdin>']);
  });

  const EDGE = `import { chat, sponsored } from './server.mjs';
const routes = { '/api/chat': chat, '/api/sponsored': sponsored };
export default { fetch: (request) => routes[new URL(request.url).pathname](request) };
`;

  it.skipIf(noEdge)(
    `produces a part and then its ad with the README's code in a Cloudflare Worker${noEdge ? ` (${noEdge})` : ''}`,
    async () => {
      await project.link('ai');
      await project.write('edge.mjs', EDGE);
      const { outputFiles } = await build({
        absWorkingDir: project.folder,
        entryPoints: ['edge.mjs'],
        bundle: true,
        write: false,
        format: 'esm',
        platform: 'browser',
        conditions: ['workerd', 'edge-light'],
        external: ['node:*'],
        nodePaths: ['node_modules'],
      });
      const worker = await startEdge({ bindings: env, code: outputFiles[0]!.text });
      const post = (path: string, body: object) =>
        fetch(`${worker.url}${path}`, { method: 'POST', body: JSON.stringify(body) });
      const parts = [{ type: 'text', text: 'Which running shoes would you recommend for a beginner?' }];
      try {
        let token = '';
        for (let turn = 0; turn < 15 && !token; turn++) {
          const stream = await (await post('/api/chat', { messages: [{ id: '1', role: 'user', parts }] })).text();
          token = /"data-sponsored".*?"token":"([^"]+)"/.exec(stream)?.[1] ?? '';
        }
        expect(await (await post('/api/sponsored', { token })).json()).toMatchObject({
          headline: 'Run further',
          url: expect.stringMatching(/\/api\/v1\/click\//),
        });
        expect([...userAgents]).toEqual([userAgentOn(' Cloudflare-Workers')]);
      } finally {
        await worker.stop();
      }
    },
  );
}
