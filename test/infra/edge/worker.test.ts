import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, matchesGlob } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import fc from 'fast-check';
import { parseSync } from 'rolldown/utils';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { EDGE_BUILD, EDGE_FILES } from '../../../infra/edge/bundle.ts';
import { edgeNames } from '../../../infra/edge/operations.ts';
import { startEdge } from '../../../infra/edge/runtime.ts';
import { wranglerSettings } from '../../../infra/edge/wrangler-settings.ts';
import { demoKey } from '../../../infra/local/seed.ts';
import { lexicon } from '../../../shared/catalog/lexicon.ts';
import { snapshotWriter } from '../../../shared/catalog/snapshot-writer.ts';
import { words } from '../../../shared/matching/index.ts';
import { endpointRow } from '../../../shared/operations/endpoints.ts';
import { isCutOtherwise } from '../../../shared/runtimes/cut-otherwise.ts';
import { exchange, type WireAnswer } from '../../contract/exchange.ts';
import { badRequest, goodRequest, type Wire } from '../../contract/requests.ts';
import { type ContractRow, expectRefusal, rows } from '../../contract/rows.ts';
import { BIDS, bidAtEdge, bidFrom, CONVERSATION, getFrom, jsonHeaders, restKey, useEdge } from './edge.ts';
import { noEdge } from './no-edge.ts';

const edge = useEdge();
const hot = rows.filter(({ name }) => edgeNames.includes(name));
const bodyOf = ({ text }: WireAnswer) => JSON.parse(text);

/** What differs between two answers to one request: ids, moments, and what the connection says. */
const same = ({ status, headers, text }: WireAnswer) => {
  const { 'ratelimit-remaining': left, 'ratelimit-reset': reset, 'x-request-id': id, ...others } = headers;
  for (const name of ['x-runtime', 'date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding'])
    delete others[name];
  const told = Object.fromEntries(Object.entries(others).map(([name, value]) => [name, anonymous(value)]));
  return { status, told, text: anonymous(text), has: [id, left, reset].map((value) => value !== undefined) };
};

const anonymous = (text: string) =>
  text
    .replaceAll(/[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/notice\/[^?"\\]+/g, 'notice/<token>')
    .replaceAll(/"timingsMs":\{[^}]*\}/g, '<timings>');

/** The answers of the Worker and of its origin. On a busy machine one of them may be late: what differs is asked again. */
async function both(wire: Omit<Wire, 'row'>, tries = 3): Promise<{ here: WireAnswer; there: WireAnswer }> {
  await restKey(edge.stack);
  const here = await exchange(wire, edge.port);
  const there = await exchange(wire, edge.origin.port);
  return tries === 1 || isDeepStrictEqual(same(here), same(there)) ? { here, there } : both(wire, tries - 1);
}

let started: Promise<number> | undefined;
/** A Worker for which the campaigns are too many: it leaves bids to its origin. */
const full = () => (started ??= edge.another({ EDGE_MOST_CAMPAIGNS: '3' }));

/** What a URL keeps as it is; of the rest the network makes something before a Worker sees it. */
const isPlain = ({ method, target }: Wire) => {
  if (!/^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/.test(method) || !URL.canParse(target, 'http://a')) return false;
  const { host, pathname, search } = new URL(target, 'http://a');
  return host === 'a' && pathname + search === target;
};

/** A good request to each hot operation, all at once. */
const askAll = () =>
  Promise.all(
    hot.map(async (row) => {
      const answer = await exchange(goodRequest(row), edge.port);
      return { row, ...answer, runtime: answer.headers['x-runtime'] };
    }),
  );

/** The hot operations that do not answer a good request here. On a busy machine one may be late. */
async function refusedHere(): Promise<string[]> {
  await restKey(edge.stack);
  const answers = await askAll();
  return answers
    .filter(({ status, runtime }) => status >= 400 || runtime !== 'edge')
    .map(({ row, status }) => `${row.name} ${status}`);
}
const PATIENT = { timeout: 60_000, interval: 50 };

/** Languages of each script that is cut by itself, and of some that are not. */
const SCRIPTS = ['th', 'lo', 'km', 'my', 'zh', 'zh-Hant', 'ja', 'ko', 'hi', 'ar', 'en'];
/** What stands between two words of a text: nothing, punctuation, digits, addresses, emoji, and what nobody sees. */
const MIXTURES = [
  '',
  '.',
  '\u200b.',
  '\u2026',
  '\uff0e',
  '。',
  '’',
  '3.5',
  '。2,',
  'example.com',
  ' https://example.com/a?b=1 ',
  '👩‍🚀',
  '\u0301',
];

/** The names of all countries in a language, without a space between them but what is told. */
const countriesIn = (language: string, between: string): string => {
  const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const codes = letters.flatMap((one) => letters.map((other) => one + other));
  return codes.flatMap((code) => names.of(code) ?? []).join(between);
};

/** A request without a credential, and one for what is not there. */
const refused = (row: ContractRow): Wire[] => {
  const wire = goodRequest(row);
  const { 'x-api-key': _, authorization: __, ...anonymous } = wire.headers;
  const elsewhere = wire.target.replace(/[0-9a-f]{8}-[0-9a-f-]+/, '00000000-0000-4000-8000-000000000000');
  return [
    { ...wire, headers: anonymous, target: wire.target.replace(/api_key=[^&]*/, '') },
    { ...wire, target: elsewhere },
  ];
};

/** What the Worker's code imports from outside of it: modules, and the names that it takes of them. */
function importsFrom(file: string): [module: string, names: string[]][] {
  const code = readFileSync(join(EDGE_BUILD, file), 'utf8');
  const { module, errors } = parseSync(file, code);
  const loadedLater = module.dynamicImports.map(({ moduleRequest: { start, end } }) => code.slice(start + 1, end - 1));
  const own = file === EDGE_FILES.code ? [`./${EDGE_FILES.regs}`] : [];
  expect([errors, loadedLater.filter((name) => !name.startsWith('node:'))]).toEqual([[], own]);
  return module.staticImports.map(({ moduleRequest, entries }) => [
    moduleRequest.value,
    entries.map(({ importName: { kind, name } }) => (kind === 'Default' ? 'default' : (name ?? ''))),
  ]);
}

/** A Worker that cuts texts into words, and tells which names of modules are missing in it, or are there to say that they are. */
const INSIDE = `
  import { words } from './shared/matching/index.ts';
  const isMissing = (value) =>
    value === undefined || (typeof value === 'function' && /^function[^{]*{\\s*(\\/\\/.*\\s*)*throw new ERR_METHOD_NOT/.test(String(value)));
  async function missingOf([module, names]) {
    const found = await import(module).catch(() => undefined);
    return found ? names.filter((name) => name && isMissing(found[name])).map((name) => module + ' ' + name) : [module];
  }
  export default {
    async fetch(request) {
      const { texts, imports } = await request.json();
      return Response.json({ cut: texts.map((text) => words(text)), missing: (await Promise.all(imports.map(missingOf))).flat() });
    },
  };`;

/** What workerd itself says, with the flags that the Worker is deployed with. */
async function askInside(asked: { texts: string[]; imports: [string, string[]][] }) {
  const { outputFiles } = await build({
    stdin: { contents: INSIDE, resolveDir: `${import.meta.dirname}/../../..` },
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
  });
  const inside = await startEdge({ modules: { 'inside.mjs': outputFiles[0]!.text }, bindings: {} });
  const answer = await fetch(inside.url, { method: 'POST', body: JSON.stringify(asked) });
  return (await answer.json().finally(inside.stop)) as { cut: string[][]; missing: string[] };
}

describe('What is deployed', () => {
  const code = () => Object.entries(edge.built.outputs).find(([file]) => file.endsWith(EDGE_FILES.code))![1];

  it.skipIf(noEdge)('imports nothing that a Worker lacks, and cuts scripts without spaces as Node does', async () => {
    const imports = Object.values(EDGE_FILES)
      .filter((file) => /mjs$/.test(file))
      .flatMap(importsFrom);
    expect(code().imports.filter(({ kind }) => kind === 'require-call')).toEqual([]);
    for (const [module] of imports) expect(module).toMatch(/^node:/);
    expect(imports.length).toBeGreaterThan(5);
    const lacking: [string, string[]][] = [
      ['node:crypto', ['noSuchName']],
      ['node:child_process', ['spawn']],
      ['node:no-such-module', []],
    ];
    const texts = SCRIPTS.flatMap((language) => MIXTURES.map((between) => countriesIn(language, between)));
    const { cut, missing } = await askInside({ texts, imports: [...imports, ...lacking] });
    expect(missing).toEqual(['node:crypto noSuchName', 'node:child_process spawn', 'node:no-such-module']);
    const passedOn = texts.filter((text) => isCutOtherwise(JSON.stringify(text)));
    const differing = texts.filter((text, i) => !isDeepStrictEqual(cut[i], words(text)));
    expect(differing.filter((text) => !passedOn.includes(text))).toEqual([]);
    expect(texts.length - passedOn.length).toBeGreaterThan(40);
    expect(differing.length).toBeGreaterThan(20); // all that for a reason
  });

  it('is checked, run and tested by one workerd: that of wrangler is that of miniflare', () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
    expect(
      Object.keys(packages)
        .filter((path) => /(^|\/)(workerd|miniflare)$/.test(path))
        .sort(),
    ).toEqual(['node_modules/miniflare', 'node_modules/workerd']);
    const { workerd } = packages['node_modules/wrangler'].dependencies;
    expect(workerd).toBe(packages['node_modules/workerd'].version);
    expect(packages['node_modules/miniflare'].dependencies.workerd).toBe(workerd);
  });

  it('is all of its files: a rule of wrangler names each but the main one', async () => {
    const { main, rules } = (await wranglerSettings()) as { main: string; rules: { type: string; globs: string[] }[] };
    const typeOf = (file: string) => rules.find(({ globs }) => globs.some((glob) => matchesGlob(file, glob)))?.type;
    expect(basename(main)).toBe(EDGE_FILES.code);
    expect([EDGE_FILES.regs, EDGE_FILES.lexicon].map(typeOf)).toEqual(['ESModule', 'Data']);
  });

  it('is small enough to be read at every start', () => {
    expect(code().bytes).toBeLessThan(1_024 * 1024);
    const gzipped = (file: string) => gzipSync(readFileSync(join(EDGE_BUILD, file))).length;
    expect(Object.values(EDGE_FILES).reduce((sum, file) => sum + gzipped(file), 0)).toBeLessThan(10 * 2 ** 20);
  });
});

describe.skipIf(noEdge)(`A Worker${noEdge ? `: ${noEdge}` : ''}`, () => {
  beforeAll(() => bidAtEdge(edge.port));
  afterEach(() => {
    edge.store.trouble = 'none';
    edge.origin.trouble = 'none';
  });

  describe('answers as the service in its region does', () => {
    it.each(hot.map((row): [string, ContractRow] => [row.name, row]))('to a good request of %s', async (_, row) => {
      const { here, there } = await both(goodRequest(row));
      expect(here.headers['x-runtime']).toBe('edge');
      expect(there.headers).not.toHaveProperty('x-runtime');
      expect(same(here)).toEqual(same(there));
      expect(here.status).toBeLessThan(400);
    });

    it('to one with the strings of TCF and GPP, whose reader is a file of its own', async () => {
      const wire = goodRequest(hot.find(({ name }) => name === 'openrtb2/bid')!);
      const regs = { gdpr: 1, gpp: 'DBABBg~BAgAAABA.QA' };
      const { here, there } = await both({
        ...wire,
        body: JSON.stringify({ ...JSON.parse(wire.body!), tmax: 60_000, regs }),
      });
      expect([here.headers['x-runtime'], here.status]).toEqual(['edge', 200]);
      expect(same(here)).toEqual(same(there));
    });

    it('to bodies that are too large, and to those of unknown length', async () => {
      const more = 'x'.repeat(3 * 2 ** 20);
      const target = { method: 'POST', target: BIDS, headers: jsonHeaders };
      const { here, there } = await both({ ...target, body: JSON.stringify({ ...CONVERSATION, more }) });
      expect([here.headers['x-runtime'], here.status]).toEqual(['edge', 413]);
      expect(same(here)).toEqual(same(there));
      for (const [port, runtime] of [
        [edge.port, 'edge'],
        [await full(), null],
      ] as const) {
        const bid = async () => {
          await restKey(edge.stack);
          const body = new Blob([JSON.stringify(CONVERSATION)]).stream();
          const init = { method: 'POST', headers: jsonHeaders, body, duplex: 'half' };
          const { status, headers } = await fetch(`http://127.0.0.1:${port}${BIDS}`, init as RequestInit);
          return [status, headers.get('x-runtime')];
        };
        // On a busy machine the origin may be late, and then the Worker answers itself.
        await expect.poll(bid, PATIENT).toEqual([200, runtime]);
      }
    });

    it('to bad and odd ones', async () => {
      const sample = fc.sample(badRequest, { seed: 20_261_122, numRuns: 160 }).filter(isPlain);
      const wires = [...hot.flatMap(refused), ...sample.filter(({ row }) => edgeNames.includes(row.name))];
      const answeredHere = new Set<number>();
      for (const { row: _, ...sent } of wires) {
        const { here, there } = await both(sent);
        expect({ sent, answer: same(here) }).toEqual({ sent, answer: same(there) });
        if (here.headers['x-runtime']) answeredHere.add(here.status);
      }
      for (const status of [200, 400, 401, 404]) expect(answeredHere).toContain(status);
    });

    it('to ones in scripts that it cuts otherwise than Node: it passes them on', async () => {
      for (const content of ['តើស្បែកជើងណាល្អ', 'ເກີບແລ່ນ', 'ดู รองเท้า\u200b.com', 'ကwww.ရန်ကုန်', '看example.com网站']) {
        const body = JSON.stringify({ countryCode: 'US', messages: [{ role: 'user', content }] });
        const escaped = body.replaceAll(
          /[^\0-\x7f]/g,
          (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
        );
        for (const sent of [body, escaped]) {
          const { here, there } = await both({ method: 'POST', target: BIDS, headers: jsonHeaders, body: sent });
          expect(here.headers).not.toHaveProperty('x-runtime');
          expect(same(here)).toEqual(same(there));
        }
      }
    });
  });

  describe('passes on to the origin', () => {
    it('every other path, with its credentials and nothing more', async () => {
      const headers = { 'x-user-id': 'demo-advertiser', authorization: 'Bearer x', cookie: 'a=b' };
      const target = '/api/v1/campaigns?limit=1&a=%2F%20b';
      const { status, headers: answered } = await getFrom(edge.port, target, headers);
      expect([status, answered['x-runtime']]).toEqual([200, undefined]);
      const seen = edge.origin.seen.at(-1)!;
      expect(seen.url).toBe(target);
      expect(seen.headers).toMatchObject({ ...headers, 'x-api-key': demoKey(), 'accept-encoding': 'identity' });
    });

    it('the readiness of Trusted Match, which is that of its region', async () => {
      const { status, headers } = await getFrom(edge.port, endpointRow('trusted-match/health').path!);
      expect([status, headers['x-runtime']]).toEqual([200, undefined]);
    });

    it('a path that looks like another host', async () => {
      await getFrom(edge.port, '//evil.example/api/v1/campaigns');
      expect(edge.origin.seen.at(-1)!.url).toBe('//evil.example/api/v1/campaigns');
    });

    it('bids, while it does not know the campaigns, or when they are too many; an own answer is better than none', async () => {
      const port = await full();
      const isFull = () => edge.lines.some((line) => line.includes('more campaigns than a Worker may hold: bids'));
      for (let bids = 0; bids === 0 || !isFull(); bids++) {
        await restKey(edge.stack);
        const { status, headers } = await bidFrom(port);
        expect([status, headers['x-runtime']]).toEqual([200, undefined]);
      }
      for (const trouble of ['gone', '522', '503', 'slow'] as const) {
        edge.origin.trouble = trouble;
        await restKey(edge.stack);
        const alone = await bidFrom(port);
        expect([trouble, alone.status, alone.text, alone.headers['x-runtime']]).toEqual([trouble, 200, 'null', 'edge']);
      }
    });
  });

  describe('goes on', () => {
    it('without its origin: every hot operation is answered, the rest is refused for now', async () => {
      edge.origin.trouble = 'gone';
      await expect.poll(refusedHere, PATIENT).toEqual([]);
      const bid = await bidFrom(edge.port);
      const { bidId } = bodyOf(bid);
      const ad = await getFrom(edge.port, `/api/v1/ssp/ad/${bidId}`);
      const click = await getFrom(edge.port, `/api/v1/click/${bidId}`);
      expect([bid, ad, click].map(({ status }) => status)).toEqual([200, 200, 302]);
      for (const trouble of ['gone', '522', '503'] as const) {
        edge.origin.trouble = trouble;
        const refused = await getFrom(edge.port, '/api/v1/campaigns', { 'x-user-id': 'demo-advertiser' });
        expectRefusal({ area: 'management' }, { ...refused, body: bodyOf(refused) }, 503);
        expect(refused.headers).toMatchObject({ 'retry-after': '1', 'x-runtime': 'edge' });
      }
    });

    it.each(['gone', 'slow'] as const)(
      'with an origin that is %s: for words that it would cut otherwise there is no bid',
      async (trouble) => {
        edge.origin.trouble = trouble;
        await restKey(edge.stack);
        const [{ role, content }] = CONVERSATION.messages as [{ role: string; content: string }];
        const messages = [{ role, content: `${content} ការភ្នាល់` }];
        const { status, text, headers } = await bidFrom(edge.port, { ...CONVERSATION, messages });
        expect([status, text, headers['x-runtime']]).toEqual([200, 'null', 'edge']);
      },
    );

    it('without an origin from its first bid on: it waits for the campaigns that it reads', async () => {
      edge.origin.trouble = 'gone';
      edge.store.trouble = 'far';
      const firstBid = async () => {
        const port = await edge.another({});
        await restKey(edge.stack);
        return (await bidFrom(port)).text;
      };
      // On a busy machine the campaigns may come too late for it.
      await expect.poll(firstBid, PATIENT).not.toBe('null');
    });

    it('without a lexicon: a click asks for none', async () => {
      const code = readFileSync(join(EDGE_BUILD, EDGE_FILES.code), 'utf8');
      const port = await edge.another({}, { modules: { [EDGE_FILES.code]: code } });
      const wire = goodRequest(hot.find(({ name }) => name === 'click/redirect')!);
      expect((await exchange(wire, port)).status).toBe(302);
    });

    it.each(['slow', 'throttled', 'refusing', 'gone', 'garbled'] as const)(
      'with a store that is %s, by its deadlines, and after it',
      async (trouble) => {
        await restKey(edge.stack);
        const { bidId } = bodyOf(await bidAtEdge(edge.port));
        await getFrom(edge.port, `/api/v1/ssp/ad/${bidId}`);
        edge.store.trouble = trouble;
        // Nothing but their deadlines ends what waits for a store that is slow.
        for (const { row, status, text, headers, runtime } of await askAll()) {
          expect([row.name, runtime]).toEqual([row.name, 'edge']);
          if (row.name === 'health') expect([status, text]).toEqual([200, '{"status":"ok"}']);
          else if (trouble === 'refusing') expectRefusal(row, { status, headers, text, body: JSON.parse(text) }, 503);
          else if (row.name === 'openrtb2/bid') expect([status, text]).toEqual([204, '']);
          else if (row.name === 'ssp/bid') expect([status, text]).toEqual([200, 'null']);
          else expectRefusal(row, { status, headers, text, body: JSON.parse(text) }, 503);
        }
        edge.store.trouble = 'none';
        expect((await getFrom(edge.port, `/api/v1/click/${bidId}`)).status).toBe(302);
        await restKey(edge.stack);
        expect((await bidAtEdge(edge.port)).status).toBe(200);
        await expect.poll(refusedHere, PATIENT).toEqual([]);
      },
    );
  });

  it('asks the store over connections that it has: a bid, its ad and its click make none', async () => {
    async function round() {
      await restKey(edge.stack);
      const [calls, connections] = [edge.store.seen.length, edge.store.connections];
      const { bidId } = bodyOf(await bidAtEdge(edge.port));
      await getFrom(edge.port, `/api/v1/ssp/ad/${bidId}`);
      await getFrom(edge.port, `/api/v1/click/${bidId}`);
      return { calls: edge.store.seen.length - calls, made: edge.store.connections - connections };
    }
    // A call that is late is made again beside the first, and takes a connection with it.
    await expect
      .poll(async () => {
        const { calls, made } = await round();
        return calls >= 5 && made;
      }, PATIENT)
      .toBe(0);
  });

  it('reads a snapshot of the campaigns once for a data centre: its other instances have it from the cache', async () => {
    await snapshotWriter(edge.stack.effects, lexicon(), { sliceBytes: 1_000 })();
    const storage = await mkdtemp(join(tmpdir(), 'edge-'));
    const slicesRead = async () => {
      edge.store.bodies.length = 0;
      const port = await edge.another({}, { storage });
      // The first bids of an instance may be late on a busy machine.
      const bidHere = async () => {
        await restKey(edge.stack);
        return (await bidAtEdge(port)).text;
      };
      let text = 'null';
      await expect.poll(async () => (text = await bidHere()), PATIENT).not.toBe('null');
      const calls = edge.store.bodies.filter((body) => /"RequestItems":{"[^"]*snapshots"/.test(body));
      return { bids: JSON.parse(text).bid, calls: calls.length };
    };
    const first = await slicesRead();
    expect(first.calls).toBeGreaterThan(1);
    expect(await slicesRead()).toEqual({ ...first, calls: 0 });
    await rm(storage, { recursive: true });
  });

  it('logs lines of JSON, and in them no secret, conversation or whole address', () => {
    const text = edge.lines.join('\n');
    for (const line of edge.lines) expect(JSON.parse(line)).toMatchObject({ level: expect.any(String) });
    const errors = edge.lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error');
    expect(errors.length).toBeGreaterThan(0);
    // Of the store that did not know the access key, which an operator has to mend.
    for (const { cause, stack } of errors)
      expect(cause ?? stack).toMatch(/UnrecognizedClientException|rejects the access key/);
    for (const secret of [demoKey(), 'local-secret', 'marathon', '127.0.0.1']) expect(text).not.toContain(secret);
  });
});
