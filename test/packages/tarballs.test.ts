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

describe('The client', () =>
  describeClient(
    () => packed,
    () => browser,
  ));
describe('The component for the AI SDK', () => describeComponent(() => packed));
// Must run last: it builds the packages itself, in the same folder.
describe('The example of a chat', () => describeExample(() => browser));
