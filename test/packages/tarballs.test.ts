import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, launchBrowser } from '../web/browser.ts';
import { describeComponent } from './ai/tarball.ts';
import { describeClient } from './client/tarball.ts';
import { describeExample } from './example.ts';
import { complaintsAbout, type Packed, packAndInstall } from './project.ts';

let packed: Packed;
let browser: Browser;
beforeAll(async () => {
  packed = await packAndInstall();
  if (hasBrowser) browser = await launchBrowser();
});
afterAll(() => browser?.close());

it('publint and arethetypeswrong find no problems in the packages', async () => {
  expect(await complaintsAbout(packed.archives)).toBe('');
});

describe.each(['client', 'ai'])('The archive of %s', (name) => {
  const folder = () => join(packed.modules, '@conversation-ads', name);
  const read = (file: string) => readFileSync(join(folder(), file), 'utf8');

  it('contains its README, its license, and a changelog with a section for its version', () => {
    const { version } = JSON.parse(read('package.json'));
    expect(read('CHANGELOG.md')).toContain(`\n## ${version} `);
    expect(readdirSync(folder())).toEqual(expect.arrayContaining(['LICENSE', 'README.md']));
  });

  it('contains a source map for each file of code, with its sources', () => {
    const files = readdirSync(join(folder(), 'dist')).filter((file) => /\.c?js$/.test(file));
    expect(files.length).toBeGreaterThan(1);
    for (const file of files) {
      expect(read(`dist/${file}`)).toContain(`\n//# sourceMappingURL=${file}.map`);
      const { sources, sourcesContent } = JSON.parse(read(`dist/${file}.map`));
      const texts = sources.map((path: string) => readFileSync(join('packages', name, 'dist', path), 'utf8'));
      expect(texts.length).toBeGreaterThan(1);
      expect(sourcesContent).toEqual(texts);
    }
  });
});

describe('The client', () =>
  describeClient(
    () => packed,
    () => browser,
  ));
describe('The component for the AI SDK', () => describeComponent(() => packed));
// Must run last: it builds the packages itself, in the same folder.
describe('The example of a chat', () => describeExample(() => browser));
