import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
// @ts-expect-error The example is plain JavaScript, without types.
import { answerTo, isOnTopic } from '../../../packages/examples/ai-chat/answers.mjs';
import { freePort, useChildProcesses } from '../../child-process.ts';
import { useServiceInMemory } from '../../memory/stack.ts';

// @module-tag whole
const service = useServiceInMemory();
const runProgram = useChildProcesses();

/** Runs the documented receiver in a separate process. */
async function runReceiver(secret: string, port: number) {
  const settings = { WEBHOOK_SECRET: secret, PORT: String(port) };
  const receiver = runProgram(process.execPath, ['packages/examples/receiver.mjs'], settings);
  await receiver.waitForOutput(/Listening on port/);
  return receiver;
}

it('shows the receiver in docs/events.md unchanged, in at most 16 lines', () => {
  const code = readFileSync('packages/examples/receiver.mjs', 'utf8');
  expect(readFileSync('docs/events.md', 'utf8')).toContain(`\`\`\`js\n${code}\`\`\`\n`);
  expect(code.trim().split('\n').length).toBeLessThanOrEqual(16);
});

it('tells the user of the receiver to set a missing secret', async () => {
  const receiver = runProgram(process.execPath, ['packages/examples/receiver.mjs'], { PORT: '0' });
  await receiver.waitForOutput(/Set WEBHOOK_SECRET/);
});

it('accepts deliveries of the service in the receiver, before and after a rotation, and rejects forged ones', async () => {
  const port = await freePort();
  const user = service.user('reader');
  const { body: hook } = await user('POST', '/webhooks', { url: `http://127.0.0.1:${port}/`, events: ['ad.click'] });
  const receiver = await runReceiver(hook.secret, port);
  const test = async () => (await user('POST', `/webhooks/${hook.id}/test`)).body;

  const { success, eventId } = await test();
  expect(success).toBe(true);
  await receiver.waitForOutput(new RegExp(`${eventId} ad\\.click`));

  const rotated = (await user('POST', `/webhooks/${hook.id}/rotate-secret`)).body.secret;
  expect(await test()).toMatchObject({ success: true }); // the receiver still has the old secret
  service.clock.advance(24 * 3_600_000);
  expect(await test()).toMatchObject({ success: false, statusCode: 401 });
  await receiver.interrupt();
  await runReceiver(rotated, port);
  expect(await test()).toMatchObject({ success: true });

  const forged = (headers: Record<string, string>) =>
    fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: '{"id":"evt_1"}', headers }).then(({ status }) => status);
  const digest = (secret: string, body: string) => createHmac('sha256', secret).update(body).digest('hex');
  expect(await forged({})).toBe(401);
  expect(await forged({ 'service-signature': '' })).toBe(401);
  expect(await forged({ 'service-signature': `sha256=${digest(hook.secret, '{"id":"evt_1"}')}` })).toBe(401);
  expect(await forged({ 'service-signature': `sha256=${digest(rotated, '{"id":"evt_2"}')}` })).toBe(401);
  expect(await forged({ 'service-signature': `sha256=${digest(rotated, '{"id":"evt_1"}')}` })).toBe(200);
});

describe('The chat of the example', () => {
  it.each([
    ['a question on one of its topics', ['Which running shoes for beginners?'], true],
    ['a greeting with a question', ['hi', 'Which running shoes for beginners?'], true],
    ['a dead phone', ['I run to kill time; my phone died. Which running shoes?'], true],
    ['a greeting', ['hi'], false],
    ['thanks', ['Which running shoes?', 'got it, cheers'], false],
    ['praise', ['Which running shoes?', 'nice'], false],
    ['an unanswerable question', ['Which running shoes?', 'What is the weather like?'], false],
    ['a question after a death', ['my dad just died', 'Which running shoes?'], false],
    ['a question after a layoff', ['i got fired today', 'Which running shoes?'], false],
  ])('after %s (%s), requests an ad: %s', (_, texts, isAsked) => {
    expect(isOnTopic(texts)).toBe(isAsked);
    const isHelpline = answerTo(texts).includes('988');
    expect(isAsked && isHelpline).toBe(false);
  });
});
