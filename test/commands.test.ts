import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readSettings } from '../infra/settings.ts';

/** Commands in the documents: the scripts, files, and settings that they name must exist. */
const documents = ['README.md', 'infra/README.md', ...globSync('docs/*.md')];
const commands = documents.flatMap((document) => findCommands(document).map((command) => ({ document, command })));

/** The lines of shell blocks, with continued lines joined, and inline code. */
function findCommands(document: string): string[] {
  const text = readFileSync(document, 'utf8').replaceAll('\\\n', ' ');
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) => block.split('\n'));
  const inline = [...text.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
  return [...blocks, ...inline].map((line) => line.replace(/\s+#.*/, '').trim());
}

/** Commands that read the settings of a stage. */
const DEPLOYMENT = /^npx cdk (bootstrap|deploy|destroy|synth)/;

const filterCommands = (begin: RegExp) => {
  const found = commands.filter(({ command }) => begin.test(command));
  expect(found.length).toBeGreaterThan(1);
  return found;
};

it('documents name only existing npm scripts', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const missing = filterCommands(/^npm (run )/).filter(({ command }) => !(command.split(/[\s…]+/)[2]! in scripts));
  expect(missing).toEqual([]);
});

it('documents use only valid settings in deployments', () => {
  for (const { command } of filterCommands(DEPLOYMENT)) {
    const chosen = [...command.matchAll(/ -c ([A-Za-z]+)=(\S+)/g)].map(([, key, value]) => [key, value]);
    if (command.includes('-c stage=staging')) continue; // an example of a stage without a file
    expect(() => readSettings(Object.fromEntries(chosen), 'test/infra/stages'), command).not.toThrow();
  }
});

it('every CDK command in the documents names its stage', () => {
  const withoutStage = filterCommands(/\bcdk /).filter(
    ({ command }) => !/^cdk (synth|deploy)$/.test(command) && !/ -c stage=\w/.test(command),
  );
  expect(withoutStage).toEqual([]);
});

it('the stage file of the guide is valid', () => {
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

it('documents list every setting of a stage', () => {
  const [, table = ''] =
    /^\| setting \| default \| \|\n\|[-|]+\n([\s\S]*?)\n\n/m.exec(readFileSync('infra/README.md', 'utf8')) ?? [];
  const first = table.split('\n').map((row) => row.split('|')[1] ?? '');
  const documented = first.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  const inOtherRows = ['jwtIssuer', 'jwtAudience', 'jwtClientId']; // described with the settings that need them
  const { properties } = JSON.parse(readFileSync('infra/stage.schema.json', 'utf8'));
  const settings = Object.keys(properties).filter((key) => key !== '$schema');
  expect([...documented, ...inOtherRows].sort()).toEqual([...settings, 'rollout'].sort());
});

it('documents name only existing tests', () => {
  const paths = filterCommands(/vitest run|^npm test/).flatMap(
    ({ command }) => command.match(/\btest\/[\w./-]+/g) ?? [],
  );
  expect(paths.length).toBeGreaterThan(1);
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});

it('continuous integration runs the commands of the README', () => {
  const steps = readFileSync('.ci/run', 'utf8').split('\n');
  const block = /^## Test\n\n```sh\n([\s\S]*?)^```$/m.exec(readFileSync('README.md', 'utf8'))?.[1] ?? '';
  expect(block).toBe('npm ci && npm test\n');
  expect(steps).toEqual(expect.arrayContaining(block.trim().split(' && ')));
});
