import { expect, it } from 'vitest';
import { type Envelope, serializeEvent } from '../../../../shared/webhooks/events/envelope.ts';
import { createSampleEvent } from '../../../../shared/webhooks/events/samples.ts';

it('is serialized to the same bytes for any attribute order of the store', () => {
  const event = createSampleEvent('ad.click', 'bid', 0);
  const reversed = (value: object): object =>
    Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([name, part]) => [name, part !== null && typeof part === 'object' ? reversed(part) : part]),
    );
  const stored = reversed(event) as Envelope;
  expect(JSON.stringify(stored)).not.toBe(JSON.stringify(event));
  expect(serializeEvent(stored)).toBe(serializeEvent(event));
  expect(JSON.parse(serializeEvent(event))).toEqual(event);
});
