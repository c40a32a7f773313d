import { existsSync, globSync, readFileSync } from 'node:fs';
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
  for (const { command } of those(/^npx cdk (deploy|destroy|synth)/)) {
    const filled = command
      .replaceAll(/<ARN in (.+?)>/g, 'arn:aws:acm:$1:123456789012:certificate/x')
      .replaceAll("'", '');
    const chosen = [...filled.matchAll(/ -c ([A-Za-z]+)=(\S+)/g)].map(([, key, value]) => [key, value]);
    expect(() => readSettings(Object.fromEntries(chosen)), command).not.toThrow();
  }
});

it('The tests that the documents run are there', () => {
  const paths = those(/vitest run|^npm test/).flatMap(({ command }) => command.match(/\btest\/[\w./-]+/g) ?? []);
  expect(paths.length).toBeGreaterThan(1);
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});

it('Continuous integration runs what the README tells a newcomer to install and to test with', () => {
  const steps = readFileSync('.ci/run', 'utf8').split('\n');
  const block = /^## Test\n\n```sh\n([\s\S]*?)^```$/m.exec(readFileSync('README.md', 'utf8'))?.[1] ?? '';
  expect(block.trim().split('\n')).toEqual(['npm ci', 'npm test']);
  expect(steps).toEqual(expect.arrayContaining(block.trim().split('\n')));
});
