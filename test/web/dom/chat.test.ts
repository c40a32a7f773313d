import { afterEach, expect, it, vi } from 'vitest';
import ChatPage from '../../../web/chat/chat.tsx';
import { signOut } from '../../../web/visitor.ts';
import { closeDesk, found, openDesk, push, waitFor } from './desk.ts';

// The test document has no scrollTo.
Element.prototype.scrollTo ??= () => {};

afterEach(() => {
  closeDesk();
  sessionStorage.clear();
  vi.unstubAllGlobals();
});

const BID = 'POST /api/v1/ssp/bid';
const CREATE = 'POST /api/v1/auth/api-keys';

it('asks for another key if its own is switched off, keeps the visitor signed in, and forgets the key on sign-out', async () => {
  let isOff = true;
  openDesk({ '/chat': ChatPage }, '/chat', {
    [BID]: () => (isOff ? Response.json({ error: 'Unauthorized', message: 'Off' }, { status: 401 }) : null),
    [CREATE]: () => ({ id: 'key_9', key: 'ak_test_9' }),
  });
  await push('First 10k');
  await found('.problem', 'The key of this chat no longer works');
  expect(document.body.textContent).not.toContain('not signed in');
  isOff = false;
  await push('Create a test key');
  await push('First 10k');
  await found('.price', 'No bid.');
  expect(Object.values(sessionStorage)).toEqual(['ak_test_9']);
  vi.stubGlobal('location', { assign: () => {} });
  signOut();
  expect(sessionStorage).toHaveLength(0);
});

it('explains why a click was not counted, also if the bid has expired', async () => {
  const clicks = { valid: 0, repeat: 0, head: 0, prefetch: 0, bot: 0 };
  const debug = { requestId: 'r', campaignId: 'cmp_1', clicks, timingsMs: {} };
  let status = 200;
  openDesk({ '/chat': ChatPage }, '/chat', {
    [BID]: () => ({ bid: 4, bidId: 'b1', debug: { candidates: [], campaignId: 'cmp_1' } }),
    'GET /api/v1/ssp/ad/b1': () =>
      Response.json(
        {
          adText: 'Shoes',
          redirectUrl: 'https://x.example/api/v1/click/t1',
          nativeAd: { assets: [], ext: { disclosure: { label: 'Sponsored' } } },
          debug,
        },
        { status },
      ),
    'GET /api/v1/click/t1': () => new Response(null, { status: 204 }),
  });
  await push('First 10k');
  await found('h2', 'The click');
  const click = async (of: keyof typeof clicks) => {
    clicks[of]++;
    (await found('aside button')).click();
  };
  await click('bot');
  await found('p', 'your browser identifies itself as a crawler');
  await click('valid');
  await found('p', 'the ad came from a test key');
  status = 404;
  await click('prefetch');
  await found('p', 'it was a prefetch');
  await click('repeat');
  await found('p', 'only the first valid click');
});

it('lets the reader report once that an ad is not relevant: says if that failed, then hides the ad, and keeps the focus', async () => {
  let reports = 0;
  let isBroken = true;
  openDesk({ '/chat': ChatPage }, '/chat', {
    [BID]: () => ({ bid: 4, bidId: 'b1', debug: { candidates: [], campaignId: 'cmp_1' } }),
    'GET /api/v1/ssp/ad/b1': () => ({
      ...{ adText: 'Shoes', redirectUrl: 'https://x.example/api/v1/click/t1' },
      nativeAd: { assets: [], ext: { disclosure: { label: 'Sponsored' } } },
      feedbackUrl: 'https://x.example/api/v1/feedback/f1',
    }),
    'POST /api/v1/feedback/f1': () => {
      reports++;
      if (isBroken) return Response.json({ error: 'Not found', message: 'Ad not found' }, { status: 404 });
      return new Response(null, { status: 204 });
    },
  });
  await push('First 10k');
  const button = await found('aside .small', 'Not relevant');
  button.click();
  button.click();
  expect((await found('.problem', 'Ad not found')).role).toBe('alert');
  expect([reports, document.querySelector('aside.ad')]).toEqual([1, expect.anything()]);
  isBroken = false;
  await waitFor(() => expect(button.ariaDisabled).toBe('false'));
  button.click();
  await found('.notice', 'Thanks, the ad is hidden.');
  expect(document.activeElement?.textContent?.trim()).toBe('Thanks, the ad is hidden.');
  expect([reports, document.querySelector('aside.ad'), document.querySelector('.problem')]).toEqual([2, null, null]);
  await found('p', 'the reader found the ad not relevant');
});

it('ignores further clicks while one is in progress', async () => {
  const clicks = { valid: 0, repeat: 0, head: 0, prefetch: 0, bot: 0 };
  let answer = () => {};
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const asked = openDesk({ '/chat': ChatPage }, '/chat', {
    [BID]: () => ({ bid: 4, bidId: 'b1', debug: { candidates: [], campaignId: 'cmp_1' } }),
    'GET /api/v1/ssp/ad/b1': () => ({
      ...{ adText: 'Shoes', redirectUrl: 'https://x.example/api/v1/click/t1' },
      nativeAd: { assets: [], ext: { disclosure: { label: 'Sponsored' } } },
      debug: { requestId: 'r', campaignId: 'cmp_1', clicks: { ...clicks }, timingsMs: {} },
    }),
    'GET /api/v1/click/t1': async () => {
      clicks[clicks.valid === 0 ? 'valid' : 'repeat']++;
      await isAnswered;
      return new Response(null, { status: 204 });
    },
  });
  await push('First 10k');
  const button = await found('aside button');
  button.click();
  button.click();
  await waitFor(() => expect(clicks.valid).toBe(1));
  answer();
  await found('p', 'the ad came from a test key');
  expect(asked.filter(({ route }) => route === 'GET /api/v1/click/t1')).toHaveLength(1);
  button.click();
  await found('p', 'only the first valid click');
});

it('creates one key if the response is lost, and chats with a working secret', async () => {
  const rotated: unknown[] = [];
  let isLost = true;
  const asked = openDesk({ '/chat': ChatPage }, '/chat', {
    [BID]: () => Response.json({ error: 'Unauthorized', message: 'Off' }, { status: 401 }),
    [CREATE]: () => {
      if (!isLost) return { id: 'key_9', key: 'ak_test_****GUn3' };
      isLost = false;
      throw new TypeError('Failed to fetch');
    },
    'POST /api/v1/auth/api-keys/key_9/rotate': ({ body }) => {
      rotated.push(body);
      return { id: 'key_9', key: 'ak_test_whole' };
    },
  });
  await push('First 10k');
  await push('Create a test key');
  await waitFor(() => expect(rotated).toEqual([{ revokeOld: true }]));
  const sent = asked.filter(({ route }) => route === CREATE).map(({ idempotencyKey }) => idempotencyKey);
  expect(sent.length).toBeGreaterThan(1);
  expect(new Set(sent)).toEqual(new Set([expect.any(String)]));
  await waitFor(() => expect(Object.values(sessionStorage)).toEqual(['ak_test_whole']));
});
