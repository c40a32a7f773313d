import { h } from 'preact';
import { useLocation } from 'preact-iso';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { closeDesk, openDesk, toasts } from './desk.ts';

const ended = vi.fn();
const acted = vi.fn();

const A_PAGE = () => h('h1', { tabIndex: -1 }, h('a', { href: '/elsewhere' }, useLocation().path));

beforeEach(async () => {
  vi.useFakeTimers();
  openDesk({ '/one': A_PAGE, '/elsewhere': A_PAGE }, '/one', {});
  await pass(0);
});
afterEach(() => {
  closeDesk();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000);
const shown = () => [...document.querySelectorAll('.toast p')].map(({ textContent }) => textContent);
const button = (says: string) =>
  [...document.querySelectorAll<HTMLElement>('.toast button')].find(({ textContent }) => textContent.includes(says))!;
const pressEscape = async (where: Element = document.body) => {
  where.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }));
  await pass(0);
};
const undoable = (text: string) =>
  toasts.show(text, { seconds: 10, action: { label: 'Undo', run: acted }, onEnd: () => ended(text) });

it('stacks messages, announces them, and removes each after its time, whichever page is shown', async () => {
  toasts.show('Budget added');
  await pass(3);
  toasts.show('Changes saved');
  document.querySelector<HTMLElement>('h1 a')!.click();
  await pass(1);
  expect(document.querySelector('h1')!.textContent).toBe('/elsewhere');
  expect(document.querySelector('.toasts')!.getAttribute('role')).toBe('status');
  expect(shown()).toEqual(['Budget added', 'Changes saved']);
  await pass(2);
  expect(shown()).toEqual(['Changes saved']);
  await pass(3);
  expect(shown()).toEqual([]);
});

it('counts down next to its action, and ends when the time is over', async () => {
  undoable('Kayaks deleted');
  await pass(4);
  expect(button('Undo').textContent).toBe('Undo (6)');
  // A screen reader does not hear every second.
  expect(button('Undo').querySelector('[aria-hidden]')!.textContent).toBe('(6)');
  await pass(5);
  expect(ended).not.toHaveBeenCalled();
  await pass(1);
  expect([shown(), ended.mock.calls, acted.mock.calls.length]).toEqual([[], [['Kayaks deleted']], 0]);
});

it('does not end after its action', async () => {
  undoable('Kayaks deleted');
  await pass(9);
  button('Undo').click();
  await pass(20);
  expect([shown(), ended.mock.calls.length, acted.mock.calls.length]).toEqual([[], 0, 1]);
});

it('stands still while one of the messages has the focus, and then gives the focus back', async () => {
  const heading = document.querySelector('h1')!;
  heading.focus();
  undoable('Kayaks deleted');
  toasts.show('Changes saved');
  await pass(3);
  button('Undo').focus();
  await pass(60);
  expect([shown(), button('Undo').textContent]).toEqual([['Kayaks deleted', 'Changes saved'], 'Undo (7)']);
  button('Undo').click();
  await pass(0);
  expect(document.activeElement).toBe(heading);
  await pass(3);
  expect(shown()).toEqual([]);
});

it('closes the latest message on Escape, and one with an action only if it has the focus', async () => {
  undoable('Kayaks deleted');
  toasts.show('Budget added');
  toasts.show('Changes saved');
  await pass(0);
  await pressEscape();
  expect(shown()).toEqual(['Kayaks deleted', 'Budget added']);
  await pressEscape();
  await pressEscape();
  expect([shown(), ended.mock.calls.length]).toEqual([['Kayaks deleted'], 0]);
  button('Undo').focus();
  await pressEscape(button('Undo'));
  expect([shown(), ended.mock.calls.length]).toEqual([[], 1]);
});

it('leaves Escape to what has used it, and to a dialog', async () => {
  toasts.show('Budget added');
  await pass(0);
  const dialog = document.body.appendChild(document.createElement('dialog'));
  dialog.open = true;
  await pressEscape();
  dialog.remove();
  document.body.addEventListener('keydown', (event) => event.preventDefault(), { once: true });
  await pressEscape();
  expect(shown()).toEqual(['Budget added']);
});

it('keeps a problem until it is closed', async () => {
  toasts.show('Kayaks was not deleted.', { isProblem: true });
  await pass(3_600);
  expect(shown()).toEqual(['Kayaks was not deleted.']);
  document.querySelector<HTMLElement>('[aria-label="Dismiss"]')!.click();
  await pass(0);
  expect(shown()).toEqual([]);
});

it('ends all at once when the visitor leaves the desk', async () => {
  undoable('Kayaks deleted');
  undoable('Canoes deleted');
  await pass(2);
  dispatchEvent(new Event('pagehide'));
  expect(ended.mock.calls).toEqual([['Kayaks deleted'], ['Canoes deleted']]);
  await pass(20);
  expect([shown(), ended.mock.calls.length]).toEqual([[], 2]);
});

const point = (type: string, pointerType: string) =>
  button('Undo').dispatchEvent(Object.assign(new Event(type, { bubbles: true }), { pointerType }));

it('stands still only while a mouse points at it', async () => {
  undoable('Kayaks deleted');
  await pass(2);
  point('pointerover', 'mouse');
  await pass(60);
  expect(button('Undo').textContent).toBe('Undo (8)');
  point('pointerout', 'mouse');
  await pass(2);
  expect(button('Undo').textContent).toBe('Undo (6)');
});

it('goes on after a tap, and after the message under the mouse is gone', async () => {
  undoable('Kayaks deleted');
  undoable('Canoes deleted');
  await pass(2);
  point('pointerover', 'touch');
  await pass(2);
  expect(button('Undo').textContent).toBe('Undo (6)');
  point('pointerover', 'mouse');
  button('Undo').click();
  await pass(6);
  expect([shown(), ended.mock.calls]).toEqual([[], [['Canoes deleted']]]);
});

it('ends on time even if no page shows it', async () => {
  undoable('Kayaks deleted');
  closeDesk();
  await pass(10);
  expect(ended.mock.calls).toEqual([['Kayaks deleted']]);
});
