import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoKey } from '../../infra/local/seed.ts';
import { freePort, type RunningProcess, useChildProcesses } from '../child-process.ts';
import { barriers } from '../web/barriers.ts';
import { hasBrowser } from '../web/browser.ts';

const RUNNING = 'Which running shoes would you recommend for a beginner?';

/** Runs the examples as their READMEs say (`npm start`, `npm run example:chat`, and `npm run example:html`), on free ports. */
export function describeExample(browser: () => Browser): void {
  const runProgram = useChildProcesses();
  let dataDir: string;
  let service: RunningProcess;
  let adsUrl: string;
  let address: string;
  let plainAddress: string;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'ads-example-'));
    const port = String(await freePort());
    service = runProgram('npm', ['start'], { PORT: port, DATA_DIR: dataDir });
    adsUrl = `http://localhost:${port}`;
    await service.waitForOutput(/# 4\./);
    // One after the other, because each builds the packages first, in the same folder.
    address = await start('chat');
    plainAddress = await start('html');
  });
  async function start(name: string): Promise<string> {
    const settings = { PORT: String(await freePort()), ADS_URL: adsUrl };
    const example = runProgram('npm', ['run', `example:${name}`], settings);
    const [, found] = await example.waitForOutput(/with ads from .* is at (http:\S+)/);
    return found!;
  }
  afterAll(async () => {
    await service.interrupt();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Opens the chat, and records its console messages, errors, failed responses, and requested paths. */
  async function open(options: Parameters<Browser['newPage']>[0] = {}, url = address) {
    const page = await browser().newPage(options);
    page.setDefaultTimeout(0); // the test's own timeout ends a hang, so a slow machine fails no test
    const complaints: string[] = [];
    const asked: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    page.on('response', (response) => {
      if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`);
    });
    await page.goto(url);
    return { page, complaints, asked };
  }
  const answers = (page: Page) => page.getByRole('article', { name: 'Assistant' });
  const cards = (page: Page) => page.getByRole('complementary');
  const answered = (page: Page, count: number) =>
    page.locator('[data-status=ready]', { has: answers(page).nth(count - 1) }).waitFor();

  async function ask(page: Page, question: string): Promise<void> {
    const before = await answers(page).count();
    await page.getByRole('textbox').fill(question);
    await page.getByRole('button', { name: 'Send' }).click();
    await answered(page, before + 1);
  }

  /** Asks until there is another card. On a busy machine, a bid may miss its 400 ms, and then the answer has no ad. */
  async function askForAd(page: Page, question: string): Promise<void> {
    const before = await cards(page).count();
    for (let turn = 0; turn < 15 && (await cards(page).count()) === before; turn++) await ask(page, question);
    await cards(page).nth(before).getByRole('link').waitFor();
  }

  describe.skipIf(!hasBrowser)('in a browser', () => {
    it('shows an ad with its picture for each suggested topic, and no ad after a greeting', async () => {
      const { page, complaints } = await open();
      const suggestions = await page.locator('.suggestions').getByRole('button').allInnerTexts();
      const shown: (string | null)[] = [];
      for (const suggestion of suggestions) {
        await page.goto(address);
        await page.getByRole('button', { name: suggestion }).click();
        await answered(page, 1);
        expect(await answers(page).innerText()).not.toContain('I have none for this');
        if (suggestion.startsWith('Hi!')) {
          shown.push(await cards(page).count().then(String));
          continue;
        }
        if ((await cards(page).count()) === 0) await askForAd(page, suggestion);
        await cards(page).getByRole('link').waitFor();
        shown.push(await cards(page).getAttribute('aria-label'));
        const width = () => page.locator('.ad img').evaluate((image: { naturalWidth: number }) => image.naturalWidth);
        await expect.poll(width).toBeGreaterThan(0);
      }
      expect(shown).toEqual([
        'Sponsored: Fleet Feet',
        'Sponsored: Lakeside Homes',
        'Sponsored: Northwind',
        'Sponsored: Codewell',
        '0',
      ]);
      expect(complaints).toEqual([]);
      await page.close();
    });

    it('shows no two ads in a row and no ad after thanks, and answers a second question differently', async () => {
      const { page, complaints } = await open();
      await askForAd(page, RUNNING);
      const first = await answers(page).first().innerText();
      await ask(page, 'And which running shoes for the winter?');
      expect(await cards(page).count()).toBe(1);
      expect(first).not.toContain((await answers(page).last().innerText()).slice(0, 40));
      await askForAd(page, 'Is there a cabin by the lake for a weekend?');
      expect(await cards(page).nth(1).getAttribute('aria-label')).toBe('Sponsored: Lakeside Homes');
      await ask(page, 'Where would you go?');
      await ask(page, 'Thanks, you are great!');
      expect(await answers(page).last().innerText()).toContain('You are welcome');
      expect(await cards(page).count()).toBe(2);
      expect(complaints).toEqual([]);
      await page.close();
    });

    it('responds gently to a user in distress, and shows no ad in the rest of the conversation', async () => {
      const { page } = await open();
      await ask(page, 'I feel hopeless and I want to hurt myself.');
      await ask(page, RUNNING);
      expect(await answers(page).last().innerText()).toContain('talk to someone you trust');
      expect(await cards(page).count()).toBe(0);
      await page.close();
    });

    it('counts no impression until the card is in view, and moves nothing when the ad appears', async () => {
      const { page, complaints, asked } = await open({ viewport: { width: 600, height: 200 } });
      await page.clock.install();
      for (let turn = 0; turn < 15 && (await cards(page).count()) === 0; turn++) {
        const before = await answers(page).count();
        await page.getByRole('textbox').fill(RUNNING);
        await page.getByRole('button', { name: 'Send' }).click();
        await answers(page).nth(before).waitFor();
        await scrollUp(page);
        await answered(page, before + 1);
      }
      const card = cards(page);
      // On a busy machine, the page may follow its last answer down after the first scroll up. Its clock is stopped until now.
      await scrollUp(page);
      const reserved = await card.boundingBox();
      await page.clock.fastForward(10_000);
      expect(asked).not.toContain('/api/sponsored');

      await card.scrollIntoViewIfNeeded();
      // The card requests the ad after a second in view.
      await expect
        .poll(async () => {
          await page.clock.fastForward(1_000);
          return card.getByRole('link').count();
        })
        .toBe(1);
      const link = card.getByRole('link');
      expect(await link.getAttribute('rel')).toBe('sponsored noopener noreferrer');
      expect(await link.getAttribute('href')).toMatch(/\/api\/v1\/click\//);
      expect((await card.boundingBox())!.height).toBe(reserved!.height);
      expect(asked.filter((path) => path === '/api/sponsored')).toHaveLength(1);
      expect(complaints).toEqual([]);
      await page.close();
    });

    it('shows an ad in plain HTML, where it moves nothing, and tells once that it was viewed and clicked', async () => {
      const { page, complaints, asked } = await open({}, plainAddress);
      await page.route(/\/api\/v1\/click\//, (route) => route.abort());
      const question = await page.getByRole('textbox').inputValue();
      const send = page.getByRole('button', { name: 'Send' });
      const form = () => page.locator('form').boundingBox();
      let before = await form();
      for (let turn = 0; turn < 15 && (await cards(page).count()) === 0; turn++) {
        await page.getByRole('textbox').fill(question);
        await send.click();
        await page.locator('form button:enabled').waitFor();
        before = await form();
      }
      const link = cards(page).getByRole('link');
      await link.waitFor();
      expect([await cards(page).getAttribute('aria-label'), await form()]).toEqual(['Sponsored: Fleet Feet', before]);
      await expect.poll(() => complaints).toEqual(['The ad was viewed']);
      for (let click = 0; click < 2; click++) {
        const tab = page.waitForEvent('popup');
        await link.click();
        await (await tab).close();
      }
      expect(complaints).toEqual(['The ad was viewed', 'The ad was clicked']);
      expect(asked.filter((path) => path === '/api/sponsored')).toHaveLength(1);
      // The report of the view is accepted from a page of another origin, or `complaints` would say so.
      expect(asked.filter((path) => path.startsWith('/api/v1/viewable/'))).toHaveLength(1);
      expect(await barriers(page)).toEqual([]);
      await page.close();
    });

    it('shows the ad of a card that a template of the server wrote', async () => {
      const messages = [{ role: 'user', content: RUNNING }];
      let answer: { ad?: { token: string; expiresAt: string } } = {};
      for (let turn = 0; turn < 15 && !answer.ad; turn++) {
        const body = JSON.stringify({ id: `template-${turn}`, messages });
        answer = JSON.parse(await (await fetch(`${plainAddress}/api/chat`, { method: 'POST', body })).text());
      }
      const { token, expiresAt } = answer.ad!;
      // A response without a body must not end the server.
      const viewed = JSON.stringify({ token, event: 'viewed' });
      const reported = await fetch(`${plainAddress}/api/sponsored`, { method: 'POST', body: viewed });
      expect(reported.status).toBe(204);
      await reported.text();
      const { page, complaints } = await open({}, plainAddress);
      await page.route(/\/template$/, (route) =>
        route.fulfill({
          contentType: 'text/html',
          body: `<script type="module" src="/card.js"></script>
<sponsored-card token="${token}" expires-at="${expiresAt}"></sponsored-card>`,
        }),
      );
      await page.goto(`${plainAddress}/template`);
      await cards(page).getByRole('link').waitFor();
      expect(await cards(page).getAttribute('aria-label')).toBe('Sponsored: Fleet Feet');
      expect(complaints).toEqual([]);
      await page.close();
    });

    it.each(['light', 'dark'] as const)('has no accessibility violations, first in %s colors', async (colorScheme) => {
      const { page } = await open({ colorScheme });
      const paper = await page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');
      expect(Number(/\d+/.exec(paper)?.[0]) > 127).toBe(colorScheme === 'light');
      await askForAd(page, RUNNING);
      expect(await barriers(page)).toEqual([]);
      await page.close();
    });
  });

  it("has the README's code for plain HTML in its page", async () => {
    const [, shown = ''] = /```html\n(.*?)```/s.exec(await readFile('packages/ai/README.md', 'utf8')) ?? [];
    const page = await (await fetch(plainAddress)).text();
    const lines = shown.split('\n').map((line) => line.trim());
    expect(lines.length).toBeGreaterThan(5);
    for (const line of lines.filter((line) => !line.startsWith('//'))) expect(page).toContain(line);
  });

  it('keeps the API key on its server, and has an icon', async () => {
    const files = [`${address}/`, `${address}/page.js`, `${plainAddress}/`, `${plainAddress}/card.js`];
    for (const file of files) expect(await (await fetch(file)).text()).not.toContain(demoKey());
    const icon = await fetch(`${address}/favicon.ico`);
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
  });

  it('returns 400 for a malformed body, and keeps running', async () => {
    for (const url of [address, plainAddress])
      for (const body of ['', '{', '[]', '{"messages":7}', '{"messages":[null]}']) {
        const response = await fetch(`${url}/api/chat`, { method: 'POST', body });
        expect(response.status, `${url} ${body}`).toBe(400);
      }
    expect((await fetch(`${address}/nothing`)).status).toBe(404);
    expect((await fetch(address)).status).toBe(200);
  });

  it('prints one line of help if there is no service, if there is no demo, and if its port is in use', async () => {
    const unused = `http://localhost:${await freePort()}`;
    const run = async (settings: Record<string, string>) => {
      const program = runProgram(process.execPath, ['packages/examples/ai-chat/server.mjs'], settings);
      return [await program.exitCode, program.output];
    };
    expect(await run({ ADS_URL: unused })).toEqual([
      1,
      expect.stringMatching(/^There is no ad service at .*"npm start".*\n$/),
    ]);
    expect(await run({ ADS_URL: address })).toEqual([
      1,
      expect.stringMatching(/^The ad service at .* set ADS_KEY .*\n$/),
    ]);
    const { port } = new URL(address);
    expect(await run({ ADS_URL: adsUrl, PORT: port })).toEqual([
      1,
      `PORT=${port} is in use: choose another, e.g. PORT=3101\n`,
    ]);
  });

  it('ends answers in a terminal with a labeled ad, but no two in a row, and none after a greeting', async () => {
    // On a busy machine, a bid may miss its 400 ms, and then the answer has no ad.
    const questions = ['Hi!', ...Array(8).fill(RUNNING)].join('\\n');
    const program = runProgram('sh', ['-c', `printf '${questions}\\n' | npm run --silent example:terminal`], {
      ADS_URL: adsUrl,
    });
    expect(await program.exitCode).toBe(0);
    const [, greeting = '', ...more] = program.output.split('\n> ');
    expect(greeting).toContain('Hello!');
    expect(more).toHaveLength(9); // 8 answers, and the last prompt
    const hasAd = [greeting, ...more].map((answer) => /\n\n---\n\nSponsored · .+\n.+/.test(answer));
    expect(hasAd[0]).toBe(false);
    expect(hasAd).toContain(true);
    expect(hasAd.join()).not.toContain('true,true');
    for (const [at, answer] of [greeting, ...more].entries())
      if (hasAd[at]) expect(answer).toMatch(/: http:\S+\/api\/v1\/click\/[\w-]+\n/);
  });
}

/** Scrolls to the beginning, and repeats it while a growing answer scrolls the page back to its end. */
const scrollUp = (page: Page) =>
  page.evaluate(async () => {
    // biome-ignore lint/suspicious/noExplicitAny: a browser's globals
    const browser = globalThis as any;
    do {
      browser.scrollTo(0, 0);
      await new Promise(browser.requestAnimationFrame);
    } while (browser.scrollY > 0);
  });
