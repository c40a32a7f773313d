import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readSettings } from '../infra/settings.ts';

/** Commands of documents that no test runs whole: what they name has to be there, and be taken. */
const documents = ['README.md', 'infra/README.md', ...globSync('docs/*.md')];
const said = documents.flatMap((document) => commandsOf(document).map((command) => ({ document, command })));

/** Lines of blocks of shell, continued ones joined, and what stands in the text as code. */
function commandsOf(document: string): string[] {
  const text = readFileSync(document, 'utf8').replaceAll('\\\n', ' ');
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) => block.split('\n'));
  const inline = [...text.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
  return [...blocks, ...inline].map((line) => line.replace(/\s+#.*/, '').trim());
}

/** Commands that read the settings of a stage. */
const DEPLOYMENT = /^npx cdk (bootstrap|deploy|destroy|synth)/;

const those = (begin: RegExp) => {
  const found = said.filter(({ command }) => begin.test(command));
  expect(found.length).toBeGreaterThan(1);
  return found;
};

it('The documents name only scripts of npm that there are', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const missing = those(/^npm (run )/).filter(({ command }) => !(command.split(/[\s…]+/)[2]! in scripts));
  expect(missing).toEqual([]);
});

it('The choices of every deployment in the documents are taken', () => {
  for (const { command } of those(DEPLOYMENT)) {
    const chosen = [...command.matchAll(/ -c ([A-Za-z]+)=(\S+)/g)].map(([, key, value]) => [key, value]);
    if (command.includes('-c stage=staging')) continue; // an example of a stage that is yet to be made
    expect(() => readSettings(Object.fromEntries(chosen), 'test/infra/stages'), command).not.toThrow();
  }
});

it('Every command of the CDK in the documents names its stage', () => {
  const forgetful = those(/\bcdk /).filter(
    ({ command }) => !/^cdk (synth|deploy)$/.test(command) && !/ -c stage=\w/.test(command),
  );
  expect(forgetful).toEqual([]);
});

it('The stage of the guide is a file that a deployment takes', () => {
  const guide = readFileSync('infra/README.md', 'utf8');
  const [, json = ''] = /^```json\n([\s\S]*?)^```$/m.exec(guide) ?? [];
  const folder = mkdtempSync(join(tmpdir(), 'stages-'));
  try {
    writeFileSync(join(folder, 'guide.json'), json.replaceAll('certificate/…', 'certificate/x'));
    expect(readSettings({ stage: 'guide' }, folder).map(({ domain }) => domain?.name)).toEqual([
      'eu-west-1.ads.example.com',
      'us-east-1.ads.example.com',
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('The settings of a stage in the documents are those that there are', () => {
  const [, table = ''] =
    /^\| setting \| default \| \|\n\|[-|]+\n([\s\S]*?)\n\n/m.exec(readFileSync('infra/README.md', 'utf8')) ?? [];
  const first = table.split('\n').map((row) => row.split('|')[1] ?? '');
  const documented = first.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  const beside = ['jwtIssuer', 'jwtAudience', 'jwtClientId']; // in the rows of what they are for
  const { properties } = JSON.parse(readFileSync('infra/stage.schema.json', 'utf8'));
  const settings = Object.keys(properties).filter((key) => key !== '$schema');
  expect([...documented, ...beside].sort()).toEqual([...settings, 'rollout'].sort());
});

it('The tests that the documents run are there', () => {
  const paths = those(/vitest run|^npm test/).flatMap(({ command }) => command.match(/\btest\/[\w./-]+/g) ?? []);
  expect(paths.length).toBeGreaterThan(1);
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});

it('runs in continuous integration what the README tells a newcomer to run', () => {
  const steps = readFileSync('.ci/run', 'utf8').split('\n');
  const block = /^## Test\n\n```sh\n([\s\S]*?)^```$/m.exec(readFileSync('README.md', 'utf8'))?.[1] ?? '';
  expect(block).toBe('npm ci && npm test\n');
  expect(steps).toEqual(expect.arrayContaining(block.trim().split(' && ')));
});
