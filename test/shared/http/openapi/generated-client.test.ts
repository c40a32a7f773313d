import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { promisify } from 'node:util';
import { generateSource } from 'oazapfts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createGateway, listen } from '../../../../infra/local/gateway.ts';
import { useServiceInMemory } from '../../../memory/stack.ts';

// @module-tag whole
const service = useServiceInMemory();
// Inside the project, so that the generated code finds its packages.
const FOLDER = '.build/generated-client';
let server: Server;
let address: string;

beforeAll(async () => {
  server = createGateway(service.stack.apps);
  address = `http://localhost:${await listen(server, 0)}`;
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const document = await (await fetch(`${address}/api/v1/openapi.json`)).text();
  writeFileSync(`${FOLDER}/openapi.json`, document);
  writeFileSync(`${FOLDER}/api.ts`, await generateSource(`${FOLDER}/openapi.json`));
});
afterAll(() => server.close());

/** A program that uses only the generated client. */
const PROGRAM = `
import { type Ad, type Bid, defaults, getAd, submitBid } from './api.ts';

export async function mainJob(baseUrl: string, key: string) {
  Object.assign(defaults, { baseUrl, headers: { 'X-API-Key': key } });
  const answer = await submitBid({ countryCode: 'US', messages: [{ role: 'user', content: 'Which running shoes?' }] });
  if (answer.status !== 200 || answer.data === null) throw new Error('no bid');
  const bid: Bid = answer.data;
  const won = await getAd(bid.bidId);
  if (won.status !== 200) throw new Error('no ad');
  const ad: Ad = won.data;
  return { bid: bid.bid, label: ad.nativeAd.ext.disclosure.label, text: ad.adText, url: ad.redirectUrl };
}
`;

it('a client generated from the document compiles in strict mode and can bid, get the ad, and click', async () => {
  writeFileSync(`${FOLDER}/main-job.ts`, PROGRAM);
  const options =
    '--strict --noEmit --skipLibCheck --allowImportingTsExtensions --module nodenext --target es2023'.split(' ');
  const compile = promisify(execFile)('node_modules/.bin/tsc', [...options, '--ignoreConfig', `${FOLDER}/main-job.ts`]);
  expect(await compile.catch(({ stdout }) => stdout)).toMatchObject({ stdout: '' });

  const { id } = await service.campaign();
  const { mainJob } = await import(`${process.cwd()}/${FOLDER}/main-job.ts`);
  const ad = await mainJob(address, await service.key());
  expect(ad).toMatchObject({ bid: 4, label: 'Sponsored', text: 'Run further. Shoes that last. Buy now' });

  const click = await fetch(`${address}${new URL(ad.url).pathname}`, { redirect: 'manual' });
  expect(click.headers.get('location')).toMatch(/^https:\/\/shoes\.example\/buy\?ref=ads&click_id=/);
  await service.stack.drain();
  const { body } = await service.user()('GET', `/campaigns/${id}`);
  expect(body.performance).toMatchObject({ impressions: 1, clicks: 1 });
});
