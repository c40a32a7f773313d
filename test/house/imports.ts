import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { folderOf, isCode, roomOf, type SourceFile, sources } from './sources.ts';

/** The rooms of shared/, lowest floor first. A room imports only rooms on lower floors. */
const FLOORS = [['matching'], ['platform'], ['budgets'], ['campaigns', 'keys'], ['ads'], ['webhooks'], ['http']].map(
  (rooms) => rooms.map((room) => `shared/${room}`),
);

/** The floors within a room: its folders, the files that folders import, and `.` for all other files. */
const INNER_FLOORS: Record<string, string[][]> = {
  'shared/platform': [['values'], ['.']],
  'shared/campaigns': [['creative.ts'], ['review'], ['.']],
  'shared/ads': [
    ['conversations', 'judge', 'regs'],
    ['auction'],
    ['bids', 'catalog'],
    ['conversions', 'legacy', 'openrtb', 'previews'],
    ['trusted-match'],
    ['.'],
  ],
  'shared/webhooks': [['events'], ['.']],
  'shared/http': [['.', 'operations', 'openapi', 'workers'], ['runtimes']],
};

/** Folders above all floors of shared/, and what else each may import. */
const ABOVE: Record<string, string[]> = {
  'packages/client': [],
  'packages/ai': ['packages/client'],
  functions: ['functions', 'events'],
  infra: ['infra', 'functions', 'events'],
  tools: ['tools', 'infra', 'functions', 'events'],
  web: ['web', 'packages/client'],
};

const all = sources();
const code = all.filter(isCode);
const under = (folder: RegExp) => all.filter(({ path }) => folder.test(path));
const ours = new Map(all.map((source) => [source.path, source]));
const ownImports = ({ imports }: SourceFile) => imports.filter(({ from }) => ours.has(from)).map(({ from }) => from);

it('imports only rooms on lower floors, and no file of shared/ imports a folder outside it', () => {
  const floorOf = new Map(FLOORS.flatMap((rooms, floor) => rooms.map((room) => [room, floor] as const)));
  const upward = code.flatMap((source) => {
    const room = roomOf(source.path);
    const floor = floorOf.get(room) ?? FLOORS.length;
    const mayImport = (to: string) =>
      to === room || ABOVE[room]?.includes(to) || (floorOf.get(to) ?? FLOORS.length) < floor;
    return ownImports(source)
      .filter((to) => !mayImport(roomOf(to)))
      .map((to) => `${source.path} -> ${to}`);
  });
  expect(upward).toEqual([]);
});

it('imports only lower floors within a room', () => {
  for (const [room, floors] of Object.entries(INNER_FLOORS)) {
    const inside = under(new RegExp(`^${room}/`));
    const partOf = (path: string) => floors.flat().find((part) => path === `${room}/${part}`) ?? folderOf(path);
    expect([...new Set(inside.map(({ path }) => partOf(path)))].sort(), room).toEqual(floors.flat().sort());
    const floorOf = (path: string) => floors.findIndex((parts) => parts.includes(partOf(path)));
    const upward = inside.flatMap((source) =>
      ownImports(source)
        .filter((to) => to.startsWith(`${room}/`) && partOf(to) !== partOf(source.path))
        .filter(
          (to) =>
            floorOf(to) > floorOf(source.path) || (floorOf(to) === floorOf(source.path) && room !== 'shared/http'),
        )
        .map((to) => `${source.path} -> ${to}`),
    );
    expect(upward).toEqual([]);
  }
});

it('has eight rooms in shared/, on seven floors', () => {
  const rooms = new Set(under(/^shared\//).map(({ path }) => roomOf(path)));
  expect([...rooms].sort()).toEqual(FLOORS.flat().sort());
  expect([rooms.size, FLOORS.length]).toEqual([8, 7]);
});

it('draws the same floors in docs/architecture.md', () => {
  const [, drawn = ''] = /```\n(http\n[^`]*)```/.exec(readFileSync('docs/architecture.md', 'utf8')) ?? [];
  const floors = drawn
    .trim()
    .split('\n')
    .map((floor) =>
      floor
        .split('  ')
        .map((room) => `shared/${room}`)
        .sort(),
    );
  expect(floors.reverse()).toEqual(FLOORS.map((rooms) => [...rooms].sort()));
});

it('has no import cycles', () => {
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, trail: string[]) => {
    if (trail.includes(path)) return void cycles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
    if (done.has(path)) return;
    for (const to of ownImports(ours.get(path)!)) visit(to, [...trail, path]);
    done.add(path);
  };
  for (const { path } of all) visit(path, []);
  expect(cycles).toEqual([]);
});

it('keeps matching, the auction, and events free of Hono, AWS, and effects', () => {
  const reached = new Set<string>();
  const walk = (path: string) => {
    if (reached.has(path)) return;
    reached.add(path);
    for (const { from, isTypeOnly } of ours.get(path)?.imports ?? []) if (!isTypeOnly) walk(from);
  };
  for (const { path } of under(/^shared\/(matching|ads\/auction|webhooks\/events)\//)) walk(path);
  const impure = /^(hono|@hono|@aws-sdk)|shared\/platform\/(database|dynamodb|queue|effects)|store\.ts$/;
  expect([...reached].filter((path) => impure.test(path))).toEqual([]);
});

it('imports one way within matching: text, language and safety, lexicon, reading or inventory, ranking', () => {
  const below: Record<string, string[]> = {
    text: [],
    language: ['text'],
    safety: ['text'],
    lexicon: ['text', 'language', 'safety'],
    reading: ['text', 'language', 'safety', 'lexicon'],
    inventory: ['text', 'language', 'lexicon'],
    ranking: ['text', 'language', 'lexicon', 'reading', 'inventory'],
  };
  const matchingRoom = (path: string) => /^shared\/matching\/(\w+)\//.exec(path)?.[1] ?? '';
  for (const [room, others] of Object.entries(below))
    for (const source of under(new RegExp(`^shared/matching/${room}/`)))
      for (const to of ownImports(source))
        expect([room, ...others], `${source.path} -> ${to}`).toContain(matchingRoom(to));
});

it('imports matching only through its index', () => {
  for (const source of all) {
    if (/^(test\/)?shared\/matching\//.test(source.path)) continue;
    for (const to of ownImports(source).filter((path) => path.startsWith('shared/matching/')))
      expect(to, source.path).toBe('shared/matching/index.ts');
  }
});

it('imports AWS SDKs only in the platform, the local stack, and tools', () => {
  const importers = code.filter(({ imports }) => imports.some(({ from }) => /^@(aws-sdk|smithy)\//.test(from)));
  expect(importers.filter(({ path }) => !/^(shared\/platform|infra\/local|tools)\//.test(path))).toEqual([]);
});

it('reads the environment only in config.ts', () => {
  const readers = under(/^(functions|shared|infra)\//).filter(({ text }) => text.includes('process.env'));
  expect(readers.map(({ path }) => path)).toEqual(['shared/platform/config.ts']);
});

it('depends on API Gateway and Node only in the runtimes of http', () => {
  const bound = /^(node:|aws-lambda$|hono\/aws-lambda$|@aws-)/;
  const dependent = under(/^shared\/http\/(?!runtimes|workers)/).flatMap(({ path, imports, text }) => [
    ...imports.filter(({ from }) => bound.test(from)).map(({ from }) => `${path} -> ${from}`),
    ...(/\bBuffer\b/.test(text) ? [`${path}: Buffer`] : []),
  ]);
  expect(dependent).toEqual([]);
});

it('mentions Workers and their runtime only in the runtimes, infra, and tools', () => {
  const named = /\bWorkers?\b|[Ww]orkerd\b|\b[Ee]dge\b|[Cc]loud[Ff]lare|[Ww]rangler|[Mm]iniflare/;
  const importers = code.filter(({ path, text, imports }) => {
    if (/^(infra|tools|shared\/http\/runtimes)\//.test(path)) return false;
    return named.test(text) || imports.some(({ from }) => /^(infra\/edge|shared\/http\/runtimes\/worker)/.test(from));
  });
  expect(importers.map(({ path }) => path)).toEqual([]);
});

it('uses types of API Gateway in one file of shared/', () => {
  const importers = under(/^shared\//).filter(({ imports }) =>
    imports.some(({ from, names }) => from === 'aws-lambda' && names.some((name) => /APIGateway/.test(name))),
  );
  expect(importers.map(({ path }) => path)).toEqual(['shared/http/runtimes/lambda.ts']);
});

it('tags every test that `npm run test:whole` runs differently with `whole`', () => {
  const differing = under(/\.test\.ts$/).filter(({ imports }) =>
    imports.some(({ from, isTypeOnly }) => !isTypeOnly && ['test/run-size.ts', 'test/memory/stack.ts'].includes(from)),
  );
  const untagged = differing.filter(({ text }) => !/(@module-tag|tags:) '?whole/.test(text));
  expect(differing.length).toBeGreaterThan(50);
  expect(untagged.map(({ path }) => path)).toEqual([]);
});

it('imports campaigns, keys, and webhooks only in operations, openapi, and runtimes of http', () => {
  const importers = under(/^shared\/http\/(?!operations|openapi|runtimes)/).flatMap((source) =>
    ownImports(source)
      .filter((to) => /^shared\/(campaigns|keys|webhooks)\//.test(to))
      .map((to) => `${source.path} -> ${to}`),
  );
  expect(importers).toEqual([]);
});

it('imports Hono only in http and in functions', () => {
  const importers = under(/^shared\/(?!http\/)/).filter(({ imports }) =>
    imports.some(({ from }) => /^@?hono(\/|$)/.test(from)),
  );
  expect(importers.map(({ path }) => path)).toEqual([]);
});
