import { describe, expect, it } from 'vitest';
import { readConversation } from '../../../../shared/matching/reading/read-conversation.ts';
import { talk, testLexicon } from '../helpers.ts';

const SHOES = testLexicon.topics.indexOf('Style & Fashion > Shoes');
const interest = (...contents: string[]) => readConversation(talk(...contents), testLexicon).interest[SHOES];

describe('computeTopicInterest', () => {
  it('counts a topic that both sides return to without a request', () => {
    expect(interest('we wore shoes at school', 'i love shoes', 'my cousin had new shoes')).toBeCloseTo(Math.log(3));
  });
  it('ignores a topic that was named once', () => {
    expect(interest('we had soup', 'how lovely', 'my cousin had new shoes')).toBe(0);
  });
  it('is zero if something is requested', () => {
    expect(interest('we wore shoes at school', 'i love shoes', 'where can i buy shoes?')).toBe(0);
  });
  it('counts a message once, however often it names the topic', () => {
    expect(interest('shoes and more shoes, shoes everywhere')).toBe(0);
  });
});
