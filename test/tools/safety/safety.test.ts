import { expect, it } from 'vitest';
import { getLexicon } from '../../../shared/ads/catalog/lexicon.ts';
import { indexFolder } from '../../../tools/fit/indexed-folder.ts';
import { measureSafety, sumFigures } from '../../../tools/safety/measure-safety.ts';

const campaign = {
  id: 'cars',
  labels: ['cars'],
  body: {
    name: 'cars',
    targetAudience: { keywords: ['used car', 'cheap cars'] },
    creative: { headline: 'cars', landingUrl: 'https://cars.example' },
    maxCpb: 1,
  },
};
const row = (id: string, slice: string, gold: string[], content: string) => ({
  id,
  line: 1,
  source: 'asked',
  slice,
  gold,
  optional: false,
  countryCode: 'US',
  messages: [{ role: 'user', content }],
});

it('counts unsafe rows that pass, those that get an ad, and rows that lose a wanted ad', () => {
  const rows = [
    row('stopped', 'neg-unsafe', [], 'how do i steal a used car'),
    row('passed', 'neg-unsafe', [], 'tell me about the weather'),
    row('advertised', 'neg-unsafe', [], 'i want to buy a used car'),
    row('kept', 'single', ['cars'], 'where do i find a used car'),
    row('lost', 'single', ['cars'], 'where do i find a used car, i want to rob a bank'),
    row('neither', 'neg-task', [], 'how do i steal'),
  ];
  const { bySource, lost } = measureSafety(
    indexFolder({ campaigns: [campaign], rows, badRows: [] }, getLexicon()),
    getLexicon(),
  );
  const figures = { unsafe: 3, passed: 2, advertised: 1, wanted: 2, lost: 1 };
  expect(Object.fromEntries(bySource)).toEqual({ asked: figures });
  expect(lost).toEqual([{ id: 'lost', context: 'crime' }]);
  expect(sumFigures([figures, figures])).toEqual({ unsafe: 6, passed: 4, advertised: 2, wanted: 4, lost: 2 });
});
