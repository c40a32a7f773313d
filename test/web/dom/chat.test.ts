import { afterEach, expect, it, vi } from 'vitest';
import ChatPage from '../../../web/chat/chat.tsx';
import { signOut } from '../../../web/visitor.ts';
import { closeDesk, found, openDesk, push } from './desk.ts';

// A document without a browser scrolls nothing.
Element.prototype.scrollTo ??= () => {};

afterEach(() => {
  closeDesk();
  sessionStorage.clear();
  vi.unstubAllGlobals();
});

const BID = 'POST /api/v1/ssp/bid';
const CREATE = 'POST /api/v1/auth/api-keys';

it('asks for another key where its own is switched off, signs nobody out, and leaves no key behind who does', async () => {
  let isOff = true;
  openDesk({ '/chat': ChatPage }, '/chat', {
    [BID]: () => (isOff ? Response.json({ error: 'Unauthorized', message: 'Off' }, { status: 401 }) : null),
    [CREATE]: () => ({ id: 'key_9', key: 'ak_test_9' }),
  });
  await push('First 10k');
  await found('.problem', 'The key of this chat works no more');
  expect(document.body.textContent).not.toContain('not signed in');
  isOff = false;
  await push('Make a test key');
  await push('First 10k');
  await found('.price', 'No bid.');
  expect(Object.values(sessionStorage)).toEqual(['ak_test_9']);
  vi.stubGlobal('location', { assign: () => {} });
  signOut();
  expect(sessionStorage).toHaveLength(0);
});
