import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { endpointNames, endpointRow } from '../shared/operations/endpoints.ts';
import { workerNames } from '../shared/operations/workers.ts';

const files = (pattern: string) =>
  globSync(pattern)
    .map((file) => file.replaceAll('\\', '/'))
    .sort();
const names = [...endpointNames, ...workerNames].sort();

/** Every import of a file that is more than types: bare names as they are, our own as paths from the root. */
const importsOf = (file: string): string[] => imports(file, /^(?:import|export)\s(?!type\b)[^'"]*?from\s+'([^']+)'/gm);

/** As `importsOf`, with those of types alone. */
const allImportsOf = (file: string): string[] => imports(file, /^(?:import|export)\s[^'"]*?from\s+'([^']+)'/gm);

function imports(file: string, pattern: RegExp): string[] {
  return [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, to = '']) =>
    to.startsWith('.') ? normalize(join(dirname(file), to)) : to,
  );
}

describe('The house', () => {
  it('has one function and one fixture for every row of the table, and no others', () => {
    expect(files('functions/**/*.ts').map((file) => file.slice('functions/'.length, -'.ts'.length))).toEqual(names);
    expect(files('events/**/*.json').map((file) => file.slice('events/'.length, -'.json'.length))).toEqual(names);
  });

  it('gives every method of a path to one row alone', () => {
    const routes = endpointNames.flatMap((name) =>
      endpointRow(name).methods.map((method) => `${method} ${endpointRow(name).path}`),
    );
    expect(new Set(routes).size).toBe(routes.length);
  });

  it('imports one way: functions, then operations, http, workers and runtimes, then the domain', () => {
    for (const file of files('shared/**/*.ts')) {
      for (const to of importsOf(file)) {
        expect(
          to.startsWith('functions/') || to.startsWith('infra/') || to.startsWith('test/'),
          `${file} -> ${to}`,
        ).toBe(false);
        const isHttp = (path: string) => /^shared\/(http|workers|runtimes|operations)\//.test(path);
        if (!isHttp(file)) expect(isHttp(to), `${file} -> ${to}`).toBe(false);
      }
    }
    for (const file of files('functions/**/*.ts')) {
      for (const to of importsOf(file)) expect(to, file).toMatch(/^(shared\/|events\/fixture\.ts$)/);
    }
  });

  it('keeps matching, bidding and events free of Hono, of AWS and of effects', () => {
    const reached = new Map<string, string>();
    const walk = (file: string, from: string) => {
      if (reached.has(file)) return;
      reached.set(file, from);
      if (existsSync(file)) for (const to of importsOf(file)) walk(to, file);
    };
    for (const file of files('shared/{matching,bidding,events}/**/*.ts')) walk(file, 'itself');
    const forbidden = [...reached].filter(([file]) =>
      /^(hono|@hono|@aws-sdk)|shared\/platform\/(database|queue|effects)|store\.ts$/.test(file),
    );
    expect(forbidden).toEqual([]);
  });

  it('imports one way within matching: text, lexicon, then reading or inventory, then ranking', () => {
    const below: Record<string, string[]> = {
      text: [],
      lexicon: ['text'],
      reading: ['text', 'lexicon'],
      inventory: ['text', 'lexicon'],
      ranking: ['text', 'lexicon', 'reading', 'inventory'],
    };
    const roomOf = (path: string) => /^shared\/matching\/(\w+)\//.exec(path)?.[1];
    for (const [room, others] of Object.entries(below))
      for (const file of files(`shared/matching/${room}/**/*.ts`))
        for (const to of allImportsOf(file).filter((path) => path.startsWith('shared/')))
          expect([room, ...others], `${file} -> ${to}`).toContain(roomOf(to));
  });

  it('imports matching by its index alone', () => {
    const others = files('{functions,shared,infra,tools,test,client,web,examples}/**/*.{ts,tsx}').filter(
      (file) => !/^(test\/)?shared\/matching\//.test(file),
    );
    for (const file of others)
      for (const to of allImportsOf(file).filter((path) => path.startsWith('shared/matching/')))
        expect(to, file).toBe('shared/matching/index.ts');
  });

  it('has files of at most 250 lines in matching', () => {
    for (const file of files('shared/matching/**/*.ts'))
      expect(readFileSync(file, 'utf8').split('\n').length - 1, file).toBeLessThanOrEqual(250);
  });

  it('reads the environment in config.ts alone', () => {
    const readers = files('{functions,shared,infra}/**/*.ts').filter((file) =>
      readFileSync(file, 'utf8').includes('process.env'),
    );
    expect(readers).toEqual(['shared/platform/config.ts']);
  });
});
