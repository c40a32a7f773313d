import { describe, expect, it } from 'vitest';
import { toConversation } from '../../../packages/ai/src/index.ts';
import { bidRequest } from '../../../shared/ads/bids/bid-schema.ts';

const user = <T>(content: T) => ({ role: 'user', content });

describe('A conversation for a bid', () => {
  it('omits system and tool messages, and message parts that are not text', () => {
    const prompt = [
      { role: 'system', content: 'You are a helper.' },
      user([
        { type: 'text', text: 'Look at this:' },
        { type: 'file', data: 'x' },
        { type: 'text', text: 'which shoes?' },
      ]),
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'hm' },
          { type: 'tool-call', toolName: 'search' },
        ],
      },
      { role: 'tool', content: [{ type: 'tool-result', output: 'secret' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'These.' }] },
    ];
    expect(toConversation(prompt)).toEqual([
      { role: 'user', content: 'Look at this:\nwhich shoes?' },
      { role: 'assistant', content: 'These.' },
    ]);
  });

  it('accepts model messages and UI messages too', () => {
    expect(toConversation([user(' Hello ')])).toEqual([{ role: 'user', content: 'Hello' }]);
    const message = {
      id: '1',
      role: 'user',
      parts: [
        { type: 'text', text: 'Hi' },
        { type: 'data-sponsored', data: {} },
      ],
    };
    expect(toConversation([message])).toEqual([{ role: 'user', content: 'Hi' }]);
  });

  it.each([
    [undefined],
    ['text'],
    [[]],
    [[null, 7, { role: 'user' }]],
    [[user('  ')]],
    [[{ role: 'assistant', content: 'Hello, what can I do?' }]],
  ])('is undefined without text from a user: %j', (prompt) => {
    expect(toConversation(prompt)).toBeUndefined();
  });

  it("keeps the newest messages within the service's limits", () => {
    const long = Array.from({ length: 2_000 }, (_, index) => user(`${index} ${'字'.repeat(100)}`));
    for (const prompt of [long, [...long, user('x'.repeat(40_000))], [user(`a${'😀'.repeat(30_000)}`)]]) {
      const messages = toConversation(prompt)!;
      const body = JSON.stringify({ countryCode: 'US', messages });
      expect(bidRequest.safeParse(JSON.parse(body)).success).toBe(true);
      expect(Buffer.byteLength(body)).toBeLessThan(1_048_576);
      expect(messages.at(-1)!.content.at(-1)).toBe(prompt.at(-1)!.content.at(-1));
      expect(body.isWellFormed() && !/\\ud/i.test(body)).toBe(true);
    }
  });
});
