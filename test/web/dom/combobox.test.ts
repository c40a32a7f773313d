import { h, render } from 'preact';
import { useState } from 'preact/hooks';
import { afterEach, expect, it } from 'vitest';
import { BlockedCategories } from '../../../web/combobox/blocked-categories.tsx';
import { createCategories } from '../../../web/combobox/categories.ts';
import { Combobox } from '../../../web/combobox/combobox.tsx';
import { createCountries, createLanguages } from '../../../web/combobox/places.ts';
import { findOptions, type Option } from '../../../web/combobox/search.ts';
import { closeDesk, found, type, waitFor } from './desk.ts';

afterEach(closeDesk);

const countries = createCountries();
const languages = createLanguages();
const categories = createCategories();

/** Renders a combobox in a form. Returns a function that reads the chosen codes. */
function openField(what: string, options: readonly Option[], start: string[] = [], allowsOthers = false) {
  let codes = start;
  function Field() {
    const [chosen, setChosen] = useState(start);
    codes = chosen;
    return h(Combobox, { name: 'it', label: 'Which', what, options, chosen, allowsOthers, onChange: setChosen });
  }
  render(h('form', null, h(Field, null), h('button', null, 'Next')), document.body);
  return () => codes;
}

const field = () => document.querySelector<HTMLInputElement>('#field-it')!;
const options = () => [...document.querySelectorAll('[role="option"]')].map((option) => option.textContent);
const tokens = () => [...document.querySelectorAll('.words bdi')].map((token) => token.textContent);
const activeOption = () =>
  document.getElementById(field().getAttribute('aria-activedescendant') ?? '')?.textContent ?? null;
const press = (key: string) =>
  field().dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
const leave = () => field().dispatchEvent(new FocusEvent('blur'));

it.each([
  ['UK', countries, 'United Kingdom'],
  ['great britain', countries, 'United Kingdom'],
  ['America', countries, 'United States'],
  ['us', countries, 'United States'],
  ['COTE', countries, 'Côte d’Ivoire'],
  ['turkey', countries, 'Türkiye'],
  ['deutsch', languages, 'German'],
  ['Farsi', languages, 'Persian'],
  ['en', languages, 'English'],
  ['Betting', categories, 'Casinos & Gambling'],
  ['casino', categories, 'Casinos & Gambling'],
  ['Guns', categories, 'Hunting and Shooting'],
  ['sports', categories, 'Sports'],
])('finds "%s" first', (text, options, name) => {
  expect(findOptions(options, text)[0]?.name).toBe(name);
});

it('is chosen from with the keyboard', async () => {
  const chosen = openField('country', countries);
  await type('#field-it', 'united');
  await waitFor(() => expect(options()).toHaveLength(3));
  expect(field().getAttribute('aria-expanded')).toBe('true');
  expect(document.getElementById(field().getAttribute('aria-controls')!)?.role).toBe('listbox');
  const [first, second, last] = options();
  expect(activeOption()).toBeNull();
  press('ArrowDown');
  await waitFor(() => expect(activeOption()).toBe(first));
  press('ArrowDown');
  await waitFor(() => expect(activeOption()).toBe(second));
  press('ArrowUp');
  await waitFor(() => expect(activeOption()).toBe(first));
  press('ArrowUp');
  await waitFor(() => expect(activeOption()).toBe(last));
  press('Escape');
  await waitFor(() => expect(field().getAttribute('aria-expanded')).toBe('false'));
  expect(field().value).toBe('united');
  press('ArrowDown');
  await waitFor(() => expect(activeOption()).toBe(first));
  press('Enter');
  await waitFor(() => expect(tokens()).toEqual([first]));
  expect(chosen()).toEqual(['AE']);
  expect(field().value).toBe('');
  // A chosen option is not offered again.
  await type('#field-it', 'united');
  await waitFor(() => expect(options()).toEqual([second, last]));
  press('Escape');
  await waitFor(() => expect(options()).toEqual([]));
  press('Escape');
  await waitFor(() => expect(field().value).toBe(''));
  press('Backspace');
  await waitFor(() => expect(chosen()).toEqual([]));
});

it('takes the first match on Enter', async () => {
  const chosen = openField('country', countries);
  await type('#field-it', 'germ');
  await waitFor(() => expect(options()[0]).toBe('Germany'));
  press('Enter');
  await waitFor(() => expect(chosen()).toEqual(['DE']));
});

it('is chosen from with the mouse, and keeps the focus', async () => {
  const chosen = openField('language', languages);
  field().focus();
  field().click();
  await waitFor(() => expect(options()).toHaveLength(languages.length));
  expect(activeOption()).toBeNull();
  const french = await found('[role="option"]', 'French');
  const down = new MouseEvent('mousedown', { bubbles: true, cancelable: true });
  french.dispatchEvent(down);
  expect(down.defaultPrevented).toBe(true);
  french.click();
  await waitFor(() => expect(chosen()).toEqual(['fr']));
  expect(options()).toEqual([]);
  expect(document.activeElement).toBe(field());
  (await found('[aria-label="Remove language French"]')).click();
  await waitFor(() => expect(chosen()).toEqual([]));
  expect(document.activeElement).toBe(field());
});

it('adds what it knows when the visitor leaves, and names the closest entry to what it does not', async () => {
  const chosen = openField('country', countries);
  await type('#field-it', 'uk, Germny, fr');
  leave();
  await found('#about-it', '“Germny” is not a country. Did you mean Germany?');
  expect(chosen()).toEqual(['GB', 'FR']);
  expect(field().value).toBe('Germny');
  expect(field().getAttribute('aria-invalid')).toBe('true');
  expect(field().form?.checkValidity()).toBe(false);
  // The list offers what was meant.
  await type('#field-it', 'Germny ');
  await waitFor(() => expect(options()).toEqual(['Germany']));
  press('Enter');
  await waitFor(() => expect(chosen()).toEqual(['GB', 'FR', 'DE']));
  expect(field().form?.checkValidity()).toBe(true);
  await type('#field-it', 'qqqqq');
  press('Enter');
  await found('#about-it', '“qqqqq” is not a country. Choose one from the list.');
});

it('takes an entry that ends with a comma, and a pasted list', async () => {
  const chosen = openField('category', categories);
  await type('#field-it', 'Ear,');
  expect(chosen()).toEqual([]);
  await type('#field-it', 'ear, nose and throat conditions,');
  await waitFor(() => expect(chosen()).toEqual(['Ear, Nose and Throat Conditions']));
  const paste = Object.assign(new Event('paste', { bubbles: true, cancelable: true }), {
    clipboardData: { getData: () => 'Dating\nbetting, Law' },
  });
  field().dispatchEvent(paste);
  await waitFor(() => expect(chosen().slice(1)).toEqual(['Dating', 'Casinos & Gambling', 'Law']));
});

it('keeps saved values that it does not know', async () => {
  const chosen = openField('category', categories, ['181', 'Fishing boats']);
  await waitFor(() => expect(tokens()).toEqual(['181', 'Fishing boats']));
  await type('#field-it', 'dating');
  press('Enter');
  await waitFor(() => expect(chosen()).toEqual(['181', 'Fishing boats', 'Dating']));
});

it('takes other words where they are allowed', async () => {
  const chosen = openField('interest', categories, [], true);
  await type('#field-it', 'yoga mats, blue');
  await waitFor(() => expect(options()).toEqual(['Use “yoga mats, blue” as it is']));
  press('Enter');
  await waitFor(() => expect(chosen()).toEqual(['yoga mats, blue']));
  await type('#field-it', 'dating');
  await waitFor(() => expect(options()[0]).toContain('Dating'));
  leave();
  await waitFor(() => expect(chosen()).toEqual(['yoga mats, blue', 'Dating']));
  await type('#field-it', 'betting');
  leave();
  await waitFor(() => expect(chosen().at(-1)).toBe('betting'));
});

it('blocks what publishers usually block with one button each', async () => {
  let blocked: string[] = [];
  function Field() {
    const [chosen, setChosen] = useState<string[]>(['Alcoholic Beverages', 'Dating']);
    blocked = chosen;
    return h(BlockedCategories, { name: 'blocked', blocked: chosen, onChange: setChosen });
  }
  render(h(Field, null), document.body);
  const presets = () => [...document.querySelectorAll('.suggestions button')].map((button) => button.textContent);
  expect(presets()).toContain('+ Gambling');
  expect(presets()).not.toContain('+ Alcohol');
  (await found('.suggestions button', 'Gambling')).click();
  await waitFor(() =>
    expect(blocked.slice(2)).toEqual([
      ...['Casinos & Gambling', 'Lotteries and Scratchcards', 'Poker and Professional Gambling'],
    ]),
  );
  for (const name of presets()) (await found('.suggestions button', name)).click();
  await waitFor(() => expect(presets()).toEqual([]));
  const known = new Set(categories.map(({ code }) => code));
  expect(blocked.filter((name) => !known.has(name))).toEqual([]);
});

it.each([
  ['Gambling', ['Casinos & Gambling', 'Lotteries and Scratchcards', 'Poker and Professional Gambling']],
  ['Weapons, Alcohol', ['Hunting and Shooting', 'Defense Industry', 'Alcoholic Beverages']],
])('blocks the whole of "%s" when it is typed', async (text, expected) => {
  let blocked: string[] = [];
  function Field() {
    const [chosen, setChosen] = useState<string[]>([]);
    blocked = chosen;
    return h(BlockedCategories, { name: 'it', blocked: chosen, onChange: setChosen });
  }
  render(h(Field, null), document.body);
  await type('#field-it', text);
  leave();
  await waitFor(() => expect(blocked).toEqual(expected));
});
