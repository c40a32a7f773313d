import { describe, expect, it } from 'vitest';
import { readConversation } from '../../../../shared/matching/reading/read-conversation.ts';
import { talk, testLexicon } from '../helpers.ts';

const SHOES = testLexicon.topics.indexOf('Style & Fashion > Shoes');
const interest = (...contents: string[]) => readConversation(talk(...contents), testLexicon).interest[SHOES];

describe('an interest', () => {
  it('is what both keep coming back to, though nobody asks for anything', () => {
    expect(interest('we wore shoes at school', 'i love shoes', 'my cousin had new shoes')).toBeCloseTo(Math.log(3));
  });
  it('is not what was named once', () => {
    expect(interest('we had soup', 'how lovely', 'my cousin had new shoes')).toBe(0);
  });
  it('is not counted where something is asked for', () => {
    expect(interest('we wore shoes at school', 'i love shoes', 'where can i buy shoes?')).toBe(0);
  });
  it('counts a message once, however often it names the thing', () => {
    expect(interest('shoes and more shoes, shoes everywhere')).toBe(0);
  });
});
