import { expect, it } from 'vitest';
import { createSampleEvent } from '../../../shared/webhooks/events/samples.ts';
import { useEventReceiver } from '../../event-receiver.ts';
import { startReceiver } from '../../receiver.ts';
import { MORNING, useService } from '../../service.ts';

// No test here waits for a timeout: receivers hang until the test releases them.
const service = useService();
const inbox = useEventReceiver();

const MAX_PER_OWNER = 8;
const PER_WEBHOOK = 20;

async function webhooks(owner: string, urls: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const url of urls) {
    const { body } = await service.user(owner)('POST', '/webhooks', { url, events: ['ad.click'] });
    ids.push(body.id);
  }
  return ids;
}

const send = (owner: string, webhookId: string, name: string) =>
  service.stack.effects.queue.send(
    'deliveries',
    { owner, webhookId, event: createSampleEvent('ad.click', name, MORNING), sentAt: service.clock.now() },
    { group: owner },
  );

it('limits 400 hanging deliveries of one user to eight slots, and delivers another user’s event', async () => {
  const hanging = await startReceiver(() => {});
  const noisy = await webhooks('noisy', Array(20).fill(hanging.url));
  const [quiet] = await webhooks('quiet', [inbox.url('/quiet')]);
  for (let n = 0; n < PER_WEBHOOK; n++) await Promise.all(noisy.map((id) => send('noisy', id, `event ${n}`)));
  await send('quiet', quiet!, 'quiet');

  while (inbox.at('/quiet').length === 0) if ((await service.stack.consume()) === 0) await service.clock.pause();
  const { total, open } = hanging.connections;
  // May be fewer if two deliveries raced for a slot: the loser retries a second later, and the clock stands still here.
  expect(total).toBeLessThanOrEqual(MAX_PER_OWNER);
  expect(open).toBe(total);
  await hanging.close();
});
