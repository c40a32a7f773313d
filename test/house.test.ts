import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { endpointNames, endpointRow, workerNames } from '../shared/endpoints.ts';

const files = (pattern: string) =>
  globSync(pattern)
    .map((file) => file.replaceAll('\\', '/'))
    .sort();
const names = [...endpointNames, ...workerNames].sort();

/** Every import of a file: bare names as they are, our own as paths from the root. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/^(?:import|export)\s(?!type\b)[^'"]*?from\s+'([^']+)'/gm)].map(([, to]) =>
    to!.startsWith('.') ? normalize(join(dirname(file), to!)) : to!,
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

  it('imports one way: functions, then shared/http and shared/stream, then the domain', () => {
    for (const file of files('shared/**/*.ts')) {
      for (const to of importsOf(file)) {
        expect(
          to.startsWith('functions/') || to.startsWith('infra/') || to.startsWith('test/'),
          `${file} -> ${to}`,
        ).toBe(false);
        const isHttp = (path: string) => /^shared\/(http|stream)\//.test(path);
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
      /^(hono|@hono|@aws-sdk)|shared\/(database|queue|effects)|store\.ts$/.test(file),
    );
    expect(forbidden).toEqual([]);
  });

  it('reads the environment in config.ts alone', () => {
    const readers = files('{functions,shared,infra}/**/*.ts').filter((file) =>
      readFileSync(file, 'utf8').includes('process.env'),
    );
    expect(readers).toEqual(['shared/config.ts']);
  });
});
