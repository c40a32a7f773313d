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

it('The packages have nothing that publint or arethetypeswrong would complain of', async () => {
  expect(await complaintsAbout(packed.archives)).toBe('');
});

describe('The client', () =>
  describeClient(
    () => packed,
    () => browser,
  ));
describe('The component for the AI SDK', () => describeComponent(() => packed));
// After them: it builds the packages itself, in the same place.
describe('The example of a chat', () => describeExample(() => browser));
