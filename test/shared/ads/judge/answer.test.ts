import { describe, expect, it } from 'vitest';
import { parseOpinion } from '../../../../shared/ads/judge/opinion.ts';

describe('the model’s answer', () => {
  it.each([
    '{"safe":true,"welcome":[0.9,0]}',
    ' {"welcome": [0.9, 0], "safe": true}\n',
    '```json\n{"safe":true,"welcome":[0.9,0]}\n```',
  ])('is an opinion if it has the requested format: %j', (text) => {
    expect(parseOpinion(text, 2)).toEqual({ safe: true, welcome: [0.9, 0] });
  });

  it.each([
    ['empty', ''],
    ['prose', 'Ad 1 would be welcome.'],
    ['JSON with prose around it', 'Sure! {"safe":true,"welcome":[1,1]}'],
    ['cut off', '{"safe":true,"welcome":[0.9'],
    ['too few chances', '{"safe":true,"welcome":[0.9]}'],
    ['too many chances', '{"safe":true,"welcome":[0.9,0,0]}'],
    ['a chance over 1', '{"safe":true,"welcome":[90,0]}'],
    ['a chance below 0', '{"safe":true,"welcome":[-0.1,0]}'],
    ['a chance that is a text', '{"safe":true,"welcome":["0.9",0]}'],
    ['a chance that is null', '{"safe":true,"welcome":[null,0]}'],
    ['safe as a text', '{"safe":"yes","welcome":[0.9,0]}'],
    ['no word on safety', '{"welcome":[0.9,0]}'],
    ['something more', '{"safe":true,"welcome":[0.9,0],"note":"x"}'],
    ['two answers', '{"safe":true,"welcome":[0,0]}{"safe":true,"welcome":[1,1]}'],
    ['null', 'null'],
  ])('is rejected: %s', (_, text) => {
    expect(parseOpinion(text, 2)).toBeUndefined();
  });
});
