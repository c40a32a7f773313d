import { expect, it } from 'vitest';
import { useService } from '../../service.ts';

const service = useService();
const ran = () =>
  service.lines
    .map((line) => JSON.parse(line))
    .filter(({ message }) => message === 'schedule')
    .map(({ operation }) => operation)
    .sort();

it.each([
  ['fails', () => Promise.reject(new Error('it fails'))],
  ['hangs', () => new Promise<never>(() => {})],
])('A schedule that %s does not prevent others from running', async (_, act) => {
  const { workers, schedules } = service.stack;
  const sound = workers['schedules/write-snapshot'];
  workers['schedules/write-snapshot'] = act;
  service.lines.length = 0;
  for (const run of schedules) run().catch(() => {});
  await expect.poll(ran).toEqual(['schedules/bill-day', 'schedules/start-day']);
  workers['schedules/write-snapshot'] = sound;
});
