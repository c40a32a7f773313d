import { beforeAll, describe, expect, it } from 'vitest';
import { fixture } from '../../../../events/fixture.ts';
import { seedFixtures } from '../../../../infra/local/fixtures.ts';
import { answering, getResponses } from '../../../../shared/http/operations/responses.ts';
import { useServiceInMemory } from '../../../memory/stack.ts';

// @module-tag whole
const service = useServiceInMemory();
beforeAll(() => seedFixtures(service.stack.effects));

const described = answering.filter((name) => getResponses(name).body);

async function answerOf(name: (typeof described)[number], headers: Record<string, string> = {}) {
  const event = fixture(name);
  const sent = await service.stack.handlers[name]({ ...event, headers: { ...event.headers, ...headers } });
  return { status: sent.statusCode, body: JSON.parse(sent.body!) };
}

describe('The answer to every fixture is as described, member for member', () => {
  // Before the fixtures that delete.
  it('a bid with X-Debug', async () => {
    const { body } = await answerOf('ssp/bid', { 'x-debug': 'true' });
    expect(body.debug.candidates.length).toBeGreaterThan(0);
    expect(getResponses('ssp/bid').body!.parse(body)).toEqual(body);
  });

  it.each(described)('%s', async (name) => {
    const { body: shape, status: expected = 200 } = getResponses(name);
    const { status, body } = await answerOf(name);
    expect(status).toBe(expected);
    // Parsing leaves out what the description does not know.
    expect(shape!.parse(body)).toEqual(body);
  });
});
