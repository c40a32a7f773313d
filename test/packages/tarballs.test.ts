import { beforeAll, describe, expect, it } from 'vitest';
import { describeComponent } from './ai/tarball.ts';
import { describeClient } from './client/tarball.ts';
import { complaintsAbout, type Packed, packAndInstall } from './project.ts';

let packed: Packed;
beforeAll(async () => {
  packed = await packAndInstall();
});

it('The packages have nothing that publint or arethetypeswrong would complain of', async () => {
  expect(await complaintsAbout(packed.archives)).toBe('');
});

describe('The client', () => describeClient(() => packed));
describe('The component for the AI SDK', () => describeComponent(() => packed));
