import type { Locator, Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { verifyWebhook } from '../../packages/client/src/index.ts';
import { startReceiver } from '../receiver.ts';
import { runningShoes } from '../service.ts';
import { barriers } from './barriers.ts';
import { hasBrowser, useBrowser } from './browser.ts';
import { startIssuer } from './issuer.ts';
import { createKeyboard } from './keyboard.ts';
import type { PageVisit } from './tabs.ts';
import { barriersOfViewer, shortenDocument } from './viewer.ts';

const SECONDS = 1000;
/** Of everything that a first visit loads besides the API's responses, compressed. */
const MAX_BYTES = 35 * 1024;
/** SCREENSHOTS=1 takes the README's screenshots again. */
const picture = async (page: Page, name: string) => {
  if (!process.env.SCREENSHOTS) return;
  // Without the outline of the heading that has the focus after a page change.
  await page.evaluate('document.activeElement?.blur()');
  // As tall as the chat's conversation.
  await page.setViewportSize({ width: 1440, height: 1000 });
  await page.screenshot({ path: `docs/${name}.png` });
  await page.setViewportSize({ width: 1440, height: 900 });
};

describe.skipIf(!hasBrowser)('The page in a browser', { timeout: 300 * SECONDS }, () => {
  const { service, at, past, escapes, serveSignedIn, visit } = useBrowser();
  const shoes = async (overrides: object = {}) => service.campaign({ name: `Shoes ${Math.random()}`, ...overrides });
  const story = ({ page }: PageVisit) => page.getByRole('region', { name: 'What happened' });
  const advertisement = ({ page }: PageVisit) => page.getByRole('complementary', { name: 'Advertisement' });
  /** Expects the open state to have no accessibility violations either. */
  const isOpenToAll = async (page: Page, within?: string) => expect(await barriers(page, within)).toEqual([]);
  const clean = ({ complaints }: PageVisit) => expect(complaints).toEqual([]);

  afterEach(() => expect(escapes).toEqual([]));

  async function say({ page }: PageVisit, text: string) {
    await page.getByLabel('Message').fill(text);
    await page.keyboard.press('Enter');
  }

  it('shows an ad for a sample conversation, explains it, and counts its click', async () => {
    await shoes({ name: 'Second Lap', bidStrategy: 'auto', maxCpb: 3 });
    const chat = await visit('/chat');
    await chat.page.getByRole('button', { name: 'First 10k' }).press('Enter');
    const ad = advertisement(chat);
    await ad.getByText('Run further').waitFor();
    expect(await ad.innerText()).toMatch(/^Sponsored · Fleet Feet/);
    await expect
      .poll(() => ad.locator('img').evaluate(({ naturalWidth }: { naturalWidth: number }) => naturalWidth))
      .toBeGreaterThan(0);
    await chat.page.getByText('comfort counts most').waitFor();
    expect(await chat.page.locator('mark').allInnerTexts()).toEqual(expect.arrayContaining(['Which running shoes']));
    const told = await story(chat).innerText();
    expect(told).toContain('$4.00 for a thousand impressions');
    expect(told).toMatch(/Fleet Feet\s+Won/);
    expect(told).toMatch(/Second Lap\s+Lower rank/);
    expect(told).toMatch(/\$4\.00 bid × 0\.\d{3} relevance = \$\d\.\d{2,3}/);

    const buy = ad.getByRole('button', { name: 'Buy now' });
    await buy.press('Enter');
    const [impressions, clicks] = [past.impressions + 1, past.clicks + 1].map((count) => count.toLocaleString('en-US'));
    await story(chat).getByText(`The campaign now has ${impressions} impressions and ${clicks} clicks`).waitFor();
    await picture(chat.page, 'chat');
    await buy.press('Enter');
    await story(chat).getByText('not counted again: only the first valid click').waitFor();
    clean(chat);
  });

  it('explains why a conversation gets no ad, and keeps conversations apart', async () => {
    const chat = await visit('/chat');
    await chat.page.getByRole('button', { name: 'A sensitive one' }).click();
    await story(chat).getByText('No bid. The conversation is sensitive').waitFor();
    await chat.page.getByText('talk to someone you trust, or to a local helpline').waitFor();
    await chat.page.getByRole('button', { name: 'New' }).click();
    // The service recognizes these words; the page does not.
    await say(chat, 'My father has stage four cancer.');
    await chat.page.getByText('That is serious').waitFor();
    let slow = () => {};
    const held = new Promise<void>((resolve) => {
      slow = resolve;
    });
    await chat.page.route('**/ssp/bid', async (route) => {
      if (route.request().postData()?.includes('10k')) await held;
      await route.continue();
    });
    await chat.page.getByRole('button', { name: 'First 10k' }).click();
    await chat.page.getByRole('button', { name: 'Small talk' }).click();
    await story(chat).getByText('No bid. Nothing commercial').waitFor();
    const late = chat.page.waitForResponse((response) => response.url().includes('/ssp/ad/'));
    slow();
    await late;
    await story(chat).getByText('No bid. Nothing commercial').waitFor();
    expect(await advertisement(chat).count()).toBe(0);
    await isOpenToAll(chat.page);
    await shoes({ name: 'Empty Purse', budget: 0, targetAudience: { keywords: ['glimzoom'] } });
    await chat.page.getByRole('button', { name: 'New' }).click();
    await say(chat, 'Where do I get a glimzoom?');
    await story(chat).getByText('No bid. Empty Purse: The budget is spent, or there is none').waitFor();
    clean(chat);
  });

  it('lets an advertiser go by keyboard from an empty account to an ad that is shown, clicked, and reported', async () => {
    const desk = await visit('/', { user: 'newcomer' });
    const { page } = desk;
    const keys = createKeyboard(page);
    const button = (name: string) => page.getByRole('button', { name });
    await keys.to(page.getByRole('link', { name: 'Start a campaign' }));
    await keys.press('Enter');
    const name = page.getByLabel('Campaign name');
    await keys.to(name);
    await keys.press('Enter');
    await page.getByText('Campaign name is required').waitFor();
    await expect.poll(() => keys.has(name)).toBe(true);
    await keys.type('Kayaks');
    for (const [field, text] of [
      ['Headline', 'A kayak that folds'],
      ['Description', 'Folding kayak for two, packed in ten minutes.'],
      ['Landing page', 'kayaks'],
    ] as const) {
      await keys.to(page.getByLabel(field));
      await keys.type(text);
    }
    await keys.to(page.getByRole('textbox', { name: 'Keywords', exact: true }));
    await keys.type('kayak paddles,');
    await page.getByText('Enter a web address such as').waitFor();
    // On a busy machine, a response may time out, so ask again.
    const isLoaded = async (what: Locator) => {
      if (await button('Try again').isVisible()) await button('Try again').click();
      return what.isVisible();
    };
    const suggestion = button('folding kayak');
    await expect.poll(() => isLoaded(suggestion), { timeout: 240 * SECONDS }).toBe(true);
    await keys.to(suggestion);
    await keys.press('Space');
    await button('Remove keyword folding kayak').waitFor();
    await keys.isSeen();
    const reach = page.getByRole('img', { name: /^Reach of folding kayak: / });
    await expect.poll(() => isLoaded(reach), { timeout: 240 * SECONDS }).toBe(true);
    await keys.isSeen();
    await keys.to(page.getByLabel('Landing page'), 'Shift+Tab');
    await keys.type('https://kayaks.example/fold');
    await keys.to(page.getByLabel('Total budget (USD)'));
    await keys.type('25');
    await keys.to(page.getByLabel('Maximum bid (USD)'));
    await keys.type('6');
    await advertisement(desk).getByText('A kayak that folds').waitFor();
    await keys.to(button('Native'));
    await keys.press('Space');
    await page.getByText('"text": "A kayak that folds"').waitFor();
    await keys.to(button('Launch'), 'Shift+Tab');
    await keys.press('Enter');
    await page.getByRole('heading', { name: 'Live', exact: true }).waitFor();
    await expect.poll(() => keys.has(page.getByRole('heading', { name: 'Kayaks' }))).toBe(true);
    await keys.isSeen();
    expect(await page.title()).toBe('Kayaks · Conversation Ads');
    const campaign = page.url();
    await keys.to(button('Pause Kayaks'));
    await keys.press('Space');
    await page.getByRole('heading', { name: 'You paused this campaign' }).waitFor();
    expect(await keys.has(button('Resume Kayaks'))).toBe(true);
    await keys.press('Enter');
    await page.getByRole('heading', { name: 'Live', exact: true }).waitFor();
    await keys.isSeen();
    await keys.to(page.getByLabel('Conversation', { exact: true }));
    await keys.type('User: Which folding kayak is light?');
    await keys.to(button('Try it'));
    await keys.press('Enter');
    await page.getByRole('heading', { name: 'Your ad would be shown' }).waitFor();
    expect(await keys.has(button('Try it'))).toBe(true);
    await keys.to(button('Add budget'), 'Shift+Tab');
    await keys.press('Enter');
    await expect.poll(() => keys.has(page.getByLabel('Amount to add'))).toBe(true);
    await keys.press('Escape');
    await expect.poll(() => keys.has(button('Add budget'))).toBe(true);
    await isOpenToAll(page);
    await page
      .getByRole('region', { name: 'Reach' })
      .getByText(/^Your campaign matches \d+ of [\d,]+ sample conversations/)
      .waitFor();

    await page.getByRole('link', { name: 'Chat' }).click();
    await say(desk, 'Which folding kayak and kayak paddles should I buy?');
    await advertisement(desk).getByRole('button', { name: 'Visit' }).click();
    await story(desk).getByText('Counted, and redirected').waitFor();
    await page.goBack();
    expect(page.url()).toBe(campaign);
    const performance = page.getByRole('region', { name: 'Performance', exact: true });
    const tile = (name: string) => performance.getByRole('button', { name: new RegExp(`^${name}`) });
    await tile('Impressions').getByText('1', { exact: true }).waitFor();
    await tile('Clicks').getByText('1', { exact: true }).waitFor();
    await tile('Spend')
      .getByText(/^\$0\.00\d+$/)
      .waitFor();
    await page.getByText('Day by day').click();
    await page.getByRole('row', { name: /2026-11-20 so far 1 1 100\.0%/ }).waitFor();
    const download = page.waitForEvent('download');
    await performance.getByRole('button', { name: 'Download CSV' }).click();
    expect((await download).suggestedFilename()).toMatch(/^Kayaks-2026-10-22-2026-11-20\.csv$/);
    clean(desk);
  });

  it('finds, sorts, and pages a thousand campaigns', async () => {
    const [one] = (await service.user()('GET', '/campaigns')).body;
    const all = Array.from({ length: 1_000 }, (_, at) => ({
      ...one,
      id: `cmp_${at}`,
      name: `Many ${at}`,
      budget: 1_234.5,
    }));
    const desk = await visit('/chat');
    const { page } = desk;
    await page.route('**/api/v1/campaigns?*', (route) =>
      route.fulfill({ json: all, headers: { 'x-total-count': String(all.length) } }),
    );
    await page.getByRole('link', { name: 'Campaigns' }).click();
    await page.getByRole('row', { name: /^Total 1,000 campaigns.*\$1,234,500\.00/ }).waitFor();
    await page.getByRole('button', { name: 'Campaign', exact: true }).click();
    await page.getByRole('button', { name: 'Next' }).click();
    expect(new URL(page.url()).search).toBe('?sort=name&page=2');
    await page.reload();
    await page.getByText('51 to 100 of 1,000').waitFor();
    await page.getByLabel('Search campaigns').fill('many 99');
    await page.getByRole('row', { name: /^Total 11 campaigns/ }).waitFor();
    await page.locator('thead').getByLabel('Select all shown').check();
    await page.getByText('11 selected').waitFor();
    await isOpenToAll(page);
    await page.getByRole('button', { name: 'Completed' }).click();
    await page.getByText('No campaigns match').waitFor();
    await isOpenToAll(page);
    clean(desk);
  });

  it('fixes, pauses, tops up, edits, copies, and deletes a campaign', async () => {
    const { id } = await shoes({ name: 'Many 7', budget: 1_234.5, status: 'draft' });
    const desk = await visit(`/campaigns/${id}`);
    const { page } = desk;
    await page.getByRole('heading', { name: 'Not launched yet' }).waitFor();
    await isOpenToAll(page);
    await page.getByRole('button', { name: 'Launch Many 7' }).click();
    await page.getByRole('heading', { name: 'Live', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Pause Many 7' }).click();
    await page.getByRole('button', { name: 'Resume Many 7' }).click();
    await page.getByRole('heading', { name: 'Live', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Add budget' }).click();
    await page.getByLabel('Amount to add').fill('0.5');
    await isOpenToAll(page, 'dialog');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('region', { name: 'Budget' }).getByText('of $1,235.00').first().waitFor();
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Maximum bid (USD)').fill('0.0001');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Maximum bid must be').waitFor();
    await page.getByLabel('Maximum bid (USD)').fill('2.5');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('$2.50 per 1,000').waitFor();
    await page.getByRole('link', { name: 'Duplicate' }).click();
    await page.getByRole('button', { name: 'Save as draft' }).click();
    await page.getByRole('heading', { name: 'Copy of Many 7' }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Copy of Many 7 deleted').hover(); // its time stands still
    await page.getByRole('heading', { name: 'Campaigns' }).waitFor();
    await isOpenToAll(page, '.toasts');
    expect(await page.getByRole('link', { name: 'Copy of Many 7' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('link', { name: 'Copy of Many 7' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Copy of Many 7 deleted').waitFor();
    const names = async () =>
      (await service.user()('GET', '/campaigns', undefined)).body.map(({ name }: { name: string }) => name);
    expect(await names()).toContain('Copy of Many 7');
    // Leaving the page ends the time for Undo.
    await page.reload();
    await expect.poll(names).not.toContain('Copy of Many 7');
    await page.getByRole('link', { name: 'Many 7' }).waitFor();
    expect(await page.getByRole('link', { name: 'Copy of Many 7' }).count()).toBe(0);
    clean(desk);
  });

  it('registers a webhook, and verifies, tests, and resends a delivery', async () => {
    const receiver = await startReceiver((response) => {
      response.writeHead(receiver.requests.length === 1 ? 500 : 200).end(`not yet ${'x'.repeat(300)}`);
    });
    const desk = await visit('/webhooks', { colorScheme: 'dark', isHurried: true });
    const { page } = desk;
    await page.getByRole('button', { name: 'Add webhook' }).click();
    await page.getByLabel('URL *', { exact: true }).fill('ftp://nobody');
    await page.getByRole('button', { name: 'Add webhook' }).click();
    await page.getByText('URL must').waitFor();
    await isOpenToAll(page);
    await page.getByLabel('URL *', { exact: true }).fill(receiver.url);
    await page.getByLabel('campaign.updated').uncheck();
    await page.getByRole('button', { name: 'Add webhook' }).click();
    const secret = await page.getByRole('region', { name: 'New signing secret' }).locator('code').innerText();
    await isOpenToAll(page);
    await page.getByRole('button', { name: 'I stored it' }).click();
    await page.getByRole('link', { name: receiver.url }).click();

    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByText('The receiver responded with 500').waitFor();
    await page.getByRole('region', { name: 'Test', exact: true }).getByText('not yet').waitFor();
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByText('The test was delivered').waitFor();
    await shoes({ name: 'Told of' });
    const deliveries = page.getByRole('region', { name: 'Deliveries' });
    await deliveries.locator('summary').filter({ hasText: 'campaign.created' }).first().click();
    await deliveries.getByText('responded with 200').waitFor();
    await deliveries.getByText('"campaign_name": "Told of"').waitFor();
    const { headers, body } = receiver.requests.at(-1)!;
    const event = await verifyWebhook({ body, headers, secret, now: () => service.clock.now() });
    expect(event).toMatchObject({ type: 'campaign.created', data: { campaign_name: 'Told of' } });

    await isOpenToAll(page);
    const before = receiver.requests.length;
    await page.getByRole('button', { name: 'Send again' }).click();
    await expect.poll(() => receiver.requests.length).toBeGreaterThan(before);
    await page.route(/deliveries=true/, async (route) => {
      const { deliveries: all, ...webhook } = await (await route.fetch()).json();
      const failed = all.map((one: { isTest: boolean }) => (one.isTest ? one : { ...one, status: 'failed' }));
      await route.fulfill({ json: { ...webhook, deliveries: failed } });
    });
    await page.route('**/redeliver-failed', (route) =>
      route.fulfill({ json: { redelivered: 1, remaining: 0, more: false, next: null } }),
    );
    await page.getByRole('button', { name: 'Send all failed again' }).click();
    await page.getByText('1 failed delivery sent again.').waitFor();
    await page.getByRole('button', { name: 'Turn off' }).click();
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByRole('button', { name: 'Turn off' }).waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    const { id } = (await service.user()('GET', '/webhooks')).body.find(
      ({ url }: { url: string }) => url === receiver.url,
    );
    await service.user()('PATCH', `/webhooks/${id}`, { description: 'Changed elsewhere' });
    await page.getByLabel('campaign.paused').uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Edit' }).waitFor();
    await expect
      .poll(async () => (await service.user()('GET', `/webhooks/${id}`)).body)
      .toMatchObject({
        description: 'Changed elsewhere',
        events: expect.not.arrayContaining(['campaign.paused']),
      });
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
    expect(await page.getByRole('region', { name: 'New signing secret' }).locator('code').innerText()).not.toBe(secret);
    // The browser also logs the rejection of ftp:.
    expect(desk.complaints).toHaveLength(1);
  });

  it('lets a publisher go from a key and a working snippet to its earnings', async () => {
    const desk = await visit('/publisher', { user: 'newcomer' });
    const { page } = desk;
    await page.getByText('Earn from your chat').waitFor();
    await isOpenToAll(page);
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('My chat');
    await page.getByLabel('Bid floor (USD)').fill('0,5');
    await page.getByText('Enter an amount such as').waitFor();
    await isOpenToAll(page);
    await page.getByLabel('Bid floor (USD)').fill('0.5');
    await page.getByRole('button', { name: 'Create key' }).click();
    const key = await page.getByRole('region', { name: 'New API key' }).locator('code').innerText();
    expect(await page.getByRole('region', { name: 'Snippet' }).innerText()).toContain(key);
    const { body: bid } = await service.bid(key);
    await service.ad(key, bid.bidId);
    await service.call('GET', `/api/v1/click/${bid.bidId}`);
    await service.bid(key, 'Thanks!');
    service.clock.advance(61 * SECONDS); // a later request reports the reasons
    await service.bid(key, 'Thanks!');
    await service.stack.drain();
    await page.getByRole('link', { name: 'My chat' }).click();
    const performance = page.getByRole('region', { name: 'Performance', exact: true });
    const tile = (name: string) => performance.getByRole('button', { name: new RegExp(`^${name}`) });
    await tile('Requests').getByText('3', { exact: true }).waitFor();
    await tile('Fill rate').getByText('33.3%', { exact: true }).waitFor();
    await tile('Clicks').getByText('1', { exact: true }).waitFor();
    await tile('Earnings')
      .getByText(/^\$0\.00\d+$/)
      .waitFor();
    const others = page.getByRole('region', { name: 'Requests without an ad' });
    await others.getByText('The conversation was not about anything commercial.').waitFor();
    await others.getByText(/^about \d+$/).waitFor();
    await page.getByRole('button', { name: 'Custom' }).click();
    await page.getByLabel('First day').fill('2020-01-01');
    await expect.poll(() => page.getByLabel('First day').inputValue()).toBe('2025-11-20');
    await page.getByRole('button', { name: '30 days' }).click();
    await page.getByText('Day by day').click();
    await page.getByRole('row', { name: /2026-11-20 so far 3 1 33\.3% 1 1 \$0\.00/ }).waitFor();
    const download = page.waitForEvent('download');
    await performance.getByRole('button', { name: 'Download CSV' }).click();
    expect((await download).suggestedFilename()).toBe('My-chat-2026-10-22-2026-11-20.csv');
    await page.getByText('$0.50 CPM').waitFor();
    await page.getByLabel('Bid floor (USD)').fill('2,5');
    await page.getByText('Enter an amount such as').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByLabel('Bid floor (USD)').fill('9000');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Bid floor must be').waitFor();
    await isOpenToAll(page);
    await page.getByLabel('Bid floor (USD)').fill('0.75');
    await page.getByLabel('Blocked domains').fill('kayaks.example,');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('$0.75 CPM').waitFor();
    const [stored] = (await service.user('newcomer')('GET', '/auth/api-keys')).body;
    expect(stored).toMatchObject({ bidFloor: 0.75, blockedDomains: ['kayaks.example'] });
    await page.getByRole('button', { name: 'Rotate' }).click();
    await page.getByLabel('Revoke all earlier secrets now').check();
    await isOpenToAll(page, 'dialog');
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    const next = await page.getByRole('region', { name: 'New API key' }).locator('code').innerText();
    expect([(await service.bid(key)).status, (await service.bid(next)).status]).toEqual([401, 200]);
    await page.getByRole('button', { name: 'Turn off' }).click();
    await page.getByRole('button', { name: 'Turn on' }).waitFor();
    expect((await service.bid(next)).status).toBe(401);
    await service.stack.drain();
    await page.goBack();
    await page.getByRole('row', { name: /^My chat .*Off 4 50\.0% 1 1 \$0\.00\d+$/ }).waitFor();
    await page
      .getByRole('region', { name: 'Total' })
      .getByText(/^\$0\.00\d+$/)
      .waitFor();
    await page.getByRole('button', { name: '30 days' }).click();
    await isOpenToAll(page);
    // The browser also logs the rejected floor.
    expect(desk.complaints).toHaveLength(1);
  });

  it('labels a chart by its days, of one day as of a year, on a phone too', async () => {
    const { page } = await visit('/campaigns?q=fleet', { viewport: { width: 390, height: 844 } });
    // The texts of the last drawing.
    await page.evaluate(`{
      globalThis.drawn = [];
      const { clearRect, fillText } = CanvasRenderingContext2D.prototype;
      Object.assign(CanvasRenderingContext2D.prototype, {
        clearRect(...area) {
          drawn = [];
          clearRect.apply(this, area);
        },
        fillText(...text) {
          drawn.push(text[0]);
          fillText.apply(this, text);
        },
      });
    }`);
    const labels = () => page.evaluate<string>('drawn.filter((text) => /^[A-Z]/.test(text)).join()');
    await page.getByRole('link', { name: 'Fleet Feet' }).click();
    await expect.poll(labels).toBe('Oct 23,Nov 6,Nov 20');
    const choose = (name: string, date: string) => page.getByLabel(name).fill(date);
    await page.getByRole('button', { name: 'Custom' }).click();
    await expect.poll(labels).toBe('Nov 10,Nov 15,Nov 20');
    await choose('First day', '2026-11-19');
    await expect.poll(labels).toBe('Nov 19,Nov 20');
    await choose('Last day', '2026-11-19');
    await expect.poll(labels).toBe('Nov 19');
    await choose('First day', '2025-11-19');
    await expect.poll(labels).toBe('Nov 20,May 21,Nov 19');
    await page.getByRole('button', { name: /^Spend/ }).click();
    await page.reload();
    await page.getByRole('button', { name: /^Spend/, pressed: true }).waitFor();
  });

  it('signs users in with the issuer, signs them in again after their token expires, and reports a denied sign-in', async () => {
    const issuer = await startIssuer();
    const { page } = await visit(`${await serveSignedIn(issuer.settings, issuer.getSubject)}/campaigns?q=fleet`);
    const asked = page.getByRole('heading', { name: 'Who are you?' });
    const link = (name: string) => page.getByRole('link', { name });
    await link('Somebody else').click();
    await page.getByRole('heading', { name: 'You are not signed in' }).waitFor();
    expect(issuer.asked).toEqual([]);
    await page.getByRole('button', { name: 'Sign in again' }).click();
    await link('Nobody').click();
    await page.getByText('access_denied').waitFor();
    await isOpenToAll(page);
    await page.reload();
    await page.getByText('access_denied').waitFor();
    await page.goto(new URL('/campaigns?q=fleet', page.url()).href);
    await link('Ada').click();
    await link('Fleet Feet').waitFor();
    expect(new URL(page.url()).search).toBe('?q=fleet');
    await page.reload();
    await link('Fleet Feet').waitFor();
    expect(issuer.asked).toHaveLength(1);

    issuer.endTokens();
    await page.getByRole('button', { name: /^(Pause|Resume) Fleet Feet/ }).click();
    await page.getByText('You are no longer signed in.').first().waitFor();
    await isOpenToAll(page);
    await page.getByRole('button', { name: 'Sign in again' }).click();
    await link('Ada').click();
    await link('Fleet Feet').waitFor();
    await page.getByText('ada@shop.example').click();
    await isOpenToAll(page);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await asked.waitFor();
    issuer.close();
    await page.goBack();
    await page.getByRole('alert').getByText('does not respond').waitFor();
    await isOpenToAll(page);
  });

  it('reports an unreachable service once, and continues when it responds', async () => {
    const { page } = await visit('/campaigns?q=fleet');
    const banner = page.getByText('We cannot reach the service.');
    await page.getByRole('link', { name: 'Fleet Feet' }).waitFor();
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await banner.waitFor();
    expect(await banner.count()).toBe(1);
    await page.route('**/api/v1/webhooks', (route) => route.fulfill({ status: 503, json: {} }));
    await page.context().setOffline(false);
    await page.getByText('The service is having problems.').waitFor();
    await page.getByRole('status', { name: 'Loading webhooks' }).waitFor();
    await isOpenToAll(page);
    await page.unroute('**/api/v1/webhooks');
    await page.context().setOffline(true);
    await page.context().setOffline(false);
    await banner.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Add webhook' }).waitFor();
  });

  it('previews an ad while it is typed, on a phone too, and right-to-left text in its direction', async () => {
    const headline = 'רצים רחוק יותר עם Fleet 3!';
    const { id } = await shoes({ creative: { ...runningShoes().creative, headline } });
    const desk = await visit(`/campaigns/${id}/edit`);
    const { page } = desk;
    const runsLeft = (place: Locator) =>
      place.evaluate((element: { matches(selector: string): boolean }) => element.matches(':dir(rtl)'));
    const title = advertisement(desk).getByText(headline);
    await title.waitFor();
    expect(await runsLeft(title)).toBe(true);
    expect(await runsLeft(page.getByLabel('Headline'))).toBe(true);
    expect(await runsLeft(page.getByLabel('Landing page'))).toBe(false);
    // On a phone, the preview stays visible above the field during typing.
    await page.setViewportSize({ width: 390, height: 844 });
    for (const field of ['Headline', 'End date (UTC)', 'Description']) await page.getByLabel(field).focus();
    await page.getByLabel('Description').fill('Live');
    await advertisement(desk).getByText('Live').waitFor();
    const getBottom = async (place: Locator) => {
      const { y, height } = (await place.boundingBox())!;
      return y + height;
    };
    expect(await getBottom(advertisement(desk))).toBeLessThan((await page.getByLabel('Description').boundingBox())!.y);
    expect((await advertisement(desk).boundingBox())!.y).toBeGreaterThan(0);
    expect(await getBottom(page.getByLabel('Description'))).toBeLessThanOrEqual(844);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.evaluate("document.documentElement.dir = 'rtl'");
    const left = async (place: Locator) => (await place.boundingBox())!.x;
    expect(await left(advertisement(desk))).toBeLessThan(await left(page.getByLabel('Headline')));
    await isOpenToAll(page);
    clean(desk);
  });

  it('shows hostile campaigns and messages as plain text', async () => {
    const script = '<script>window.pwned=1</script><img src=x onerror="window.pwned=1"><a href="javascript:pwned=1">';
    const { id } = await shoes({
      name: `Evil ${script}`,
      description: script,
      maxCpb: 9,
      targetAudience: { keywords: ['hiking boots', script.slice(0, 30), 'x'.repeat(100)] },
      creative: {
        headline: script,
        description: script,
        callToAction: '<img src=x onerror=pwned=1>',
        landingUrl: 'https://evil.example/?q=%22%3E%3Cscript%3Epwned=1%3C/script%3E',
        sponsoredBy: script,
      },
    });
    const pages = [await visit('/chat'), await visit(`/campaigns/${id}`)] as const;
    await say(pages[0], script);
    await say(pages[0], 'Which hiking boots should I buy?');
    for (const shown of pages) {
      await advertisement(shown).getByText('<img src=x onerror=pwned=1>').waitFor();
      const { page } = shown;
      expect(await page.evaluate(() => (globalThis as { pwned?: number }).pwned)).toBeUndefined();
      expect(await page.locator('#app').locator('script, img, iframe, [onerror], [href^="javascript"]').count()).toBe(
        0,
      );
      clean(shown);
    }
    await isOpenToAll(pages[1].page);
  });

  it('asks before it reloads a page whose script is gone, and never loses typed values without asking', async () => {
    const { page } = await visit('/campaigns/new', { isHurried: true });
    let looked = 0;
    let isReloaded = false;
    page.on('request', (request) => {
      isReloaded ||= request.isNavigationRequest();
    });
    await page.route('**/assets/list-page-*.js', (route) => {
      if (isReloaded) return route.continue();
      looked++;
      return route.fulfill({ status: 404 });
    });
    await page.getByLabel('Campaign name').fill('Kayaks');
    const asked: string[] = [];
    page.on('dialog', async (dialog) => {
      asked.push(dialog.type());
      await (asked.length > 1 ? dialog.accept() : dialog.dismiss());
    });
    const webhooks = page.getByRole('link', { name: 'Webhooks' });
    await webhooks.click();
    expect([await page.getByLabel('Campaign name').inputValue(), looked]).toEqual(['Kayaks', 0]);
    await webhooks.click();
    await page.getByRole('button', { name: 'Add webhook' }).waitFor();
    expect([asked, new URL(page.url()).pathname]).toEqual([['confirm', 'confirm'], '/webhooks']);
    // Chromium before 156 remembers that a script failed, and requests it once per document.
    expect([looked > 0, isReloaded]).toEqual([true, true]);
  });

  it('would not run injected markup, and requests nothing from other origins', async () => {
    const { page } = await visit('/chat');
    await page.evaluate(async () => {
      // biome-ignore lint/suspicious/noExplicitAny: a browser's globals
      const { document, fetch } = globalThis as any;
      const script = document.createElement('script');
      script.textContent = 'window.pwned = 1';
      document.body.append(script);
      document.body.insertAdjacentHTML('beforeend', '<img src="http://evil.example/x.png" onerror="window.pwned = 1">');
      await fetch('https://evil.example/').catch(() => {});
    });
    expect(await page.evaluate(() => (globalThis as { pwned?: number }).pwned)).toBeUndefined();
  });

  it('is watched by a proxy that would record a request to another origin', async () => {
    const { page } = await visit('/chat', { bypassCSP: true });
    await page.evaluate(() => fetch('https://evil.example/').catch(() => {}));
    expect(escapes.splice(0)).toEqual(['CONNECT evil.example:443 HTTP/1.1']);
  });

  /** Every page, and an element that shows that it has loaded. */
  const pages = async (): Promise<[path: string, user: string, shows: string][]> => {
    const [campaign] = (await service.user()('GET', '/campaigns')).body;
    const [key] = (await service.user('publisher')('GET', '/auth/api-keys')).body;
    const [served] = (await service.user()('GET', '/auth/api-keys')).body;
    const hook = { url: 'http://127.0.0.1:2/refuses', events: ['campaign.created'] };
    const { body: webhook } = await service.user()('POST', '/webhooks', hook);
    await shoes();
    return [
      ['/', 'alice', 'Latest activity'],
      ['/activity', 'alice', 'Created by you'],
      ['/statements', 'alice', 'Preliminary'],
      ['/statements?by=campaign', 'alice', 'By campaign'],
      ['/campaigns?q=fleet', 'alice', 'Fleet Feet'],
      [`/campaigns/${campaign.id}?by=publisher`, 'alice', 'Day by day'],
      ['/campaigns/report', 'alice', 'Return on spend'],
      [`/publisher/${served.id}?by=domain`, 'alice', 'shoes.example'],
      [`/campaigns/${campaign.id}/edit`, 'alice', 'Call to action'],
      ['/campaigns/cmp_none', 'alice', 'This campaign does not exist'],
      ['/webhooks', 'alice', webhook.url],
      [`/webhooks/${webhook.id}`, 'alice', 'campaign.created'],
      ['/webhooks/none/edit', 'alice', 'Page not found'],
      ['/chat', 'alice', 'How the service decides'],
      ['/campaigns/new', 'alice', 'Call to action'],
      ['/', 'nobody', 'Earn from your chat'],
      ['/activity', 'nobody', 'Nothing has changed in the last 90 days'],
      ['/statements?kind=earnings', 'nobody', 'No earnings in'],
      ['/campaigns', 'nobody', 'Show your first ad'],
      ['/webhooks', 'nobody', 'Get an event for every impression and click'],
      ['/publisher', 'publisher', 'Test key'],
      [`/publisher/${key.id}`, 'publisher', 'In your chat’s server'],
      ['/docs', 'publisher', 'Find the page for what you want to do'],
      ['/docs/reference', 'publisher', 'Submit a conversation and get a bid or null'],
      ['/docs/events', 'publisher', 'This receiver rejects forged requests'],
    ];
  };

  /** Opens another page like a link, so that axe is loaded once for all pages of a user. */
  const goOn = (page: Page, path: string) =>
    page.evaluate(`history.pushState(null, '', '${path}'); dispatchEvent(new PopStateEvent('popstate'))`);

  it('has no axe violations on any page (light/dark, desktop/mobile)', async () => {
    const found: string[] = [];
    const { page } = await visit('/docs/glossary');
    let visitor = '';
    for (const [path, user, shows] of await pages()) {
      if (path === '/docs/reference') await shortenDocument(page);
      if (user === visitor && !path.startsWith('/docs')) await goOn(page, path);
      else {
        await page.evaluate((name) => localStorage.setItem('user', name), user);
        await page.goto(at.address + path);
      }
      visitor = user;
      await page.getByText(shows).first().waitFor();
      if (path === '/docs/reference') {
        found.push(...(await barriersOfViewer(page)));
        await page.unrouteAll();
        continue;
      }
      if (path === '/chat') {
        await page.getByRole('button', { name: 'First 10k' }).click();
        await page.getByText('The click', { exact: true }).waitFor();
      }
      if (path === '/campaigns/new') {
        for (const field of ['Campaign name', 'Maximum bid (USD)']) await page.getByLabel(field).fill('');
        for (const field of ['Total budget (USD)', 'Landing page URL']) await page.getByLabel(field).fill('2,5');
        await page.getByRole('button', { name: /^(Save|Launch)$/ }).click();
        await page.getByText('Campaign name is required').waitFor();
        await page.getByLabel('Languages').fill('Germn');
        await page.getByRole('option', { name: 'German' }).waitFor();
        found.push(...(await barriers(page, '.combobox')));
        await page.getByLabel('Countries').fill('Germny');
        await page.keyboard.press('Tab');
        await page.getByText('“Germny” is not a country. Did you mean Germany?').waitFor();
      }
      if (shows === 'Day by day') {
        for (const card of ['Performance', 'Breakdown'])
          await page.locator(`[aria-label="${card}"] .plot canvas`).waitFor();
        await picture(page, 'advertiser');
        await page.getByRole('region', { name: 'What won' }).scrollIntoViewIfNeeded();
        await page.getByRole('rowheader', { name: 'trail running shoes' }).waitFor();
      }
      found.push(...(await barriers(page)));
      const rotate = page.getByRole('button', { name: /^Rotate/ });
      if (await rotate.count()) {
        await rotate.click();
        // The content behind the dialog is dimmed, and was checked before.
        found.push(...(await barriers(page, 'dialog')));
      }
    }
    expect(found).toEqual([]);
  });

  it('paints before its script and figures have loaded, and scales its text up to a 3840-pixel screen', async () => {
    const { page } = await visit('/campaigns?q=fleet');
    const painted = Promise.withResolvers<void>();
    await page.route(/\/assets\/.*\.js$|\/api\//, async (route) => {
      await painted.promise;
      await route.continue();
    });
    await page.reload({ waitUntil: 'commit' });
    await expect
      .poll(() => page.evaluate<number>("performance.getEntriesByName('first-contentful-paint').length"))
      .toBe(1);
    painted.resolve();
    await page.getByText('Fleet Feet').waitFor();
    await page.setViewportSize({ width: 3840, height: 2160 });
    expect((await page.locator('.page-head').boundingBox())!.width).toBeGreaterThan(3840 / 2);
    expect((await page.getByRole('link', { name: 'Fleet Feet' }).boundingBox())!.height).toBeGreaterThan(25);
  });

  it.each([
    ['/', 'Latest activity'],
    ['/campaigns', 'Fleet Feet'],
  ])('loads at most 35 KB for %s', async (path, shows) => {
    // Options of its own give the page a context of its own, with nothing in the cache, from which files would weigh nothing.
    const { page } = await visit(path, { colorScheme: 'light' });
    await page.getByText(shows).first().waitFor();
    const bytes = await page.evaluate(() =>
      performance
        .getEntries()
        .filter(({ name }) => !name.includes('/api/'))
        .reduce((sum, entry) => sum + ('encodedBodySize' in entry ? Number(entry.encodedBodySize) : 0), 0),
    );
    console.log(`${path}: ${bytes} bytes compressed`);
    expect(bytes).toBeGreaterThan(MAX_BYTES / 2);
    expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
  });
});
