import type { Effects } from '../platform/effects.ts';
import { errorOf } from '../platform/values/typed.ts';
import { createReceiverConnections, type ReceiverConnection } from './receiver-connections.ts';
import { findUrlFault } from './receiver-url.ts';

/** What one request to a receiver came to. */
export interface SendResult {
  success: boolean;
  statusCode: number | null;
  durationMs: number;
  error: string | null;
  /** The first kilobyte of what the receiver answered, as text; absent where it said nothing. */
  answer?: string;
}

export type Send = (url: string, headers: Record<string, string>, body: string) => Promise<SendResult>;

const USER_AGENT = 'conversation-ads-webhooks/1.0';
/** Bytes of an answer that are read, so that its end is seen; and those that are kept for who looks for what went wrong. */
const MAX_READ_BYTES = 64 * 1024;
const MAX_KEPT_BYTES = 1024;

/**
 * Posts to receivers, over connections that are kept for a moment. Redirects are not followed. The time limit spans everything, a slow
 * body included.
 */
export function createSend(effects: Pick<Effects, 'config' | 'clock' | 'resolve'>): Send {
  const { config, clock } = effects;
  const connections = createReceiverConnections(effects);

  async function post(url: URL, headers: Record<string, string>, body: string, signal: AbortSignal) {
    const request = ({ client }: ReceiverConnection) =>
      client.request({
        method: 'POST',
        path: url.pathname + url.search,
        headers: { 'content-type': 'application/json', 'user-agent': USER_AGENT, ...headers },
        body,
        signal,
      });
    let connection = await connections.take(url, signal);
    let isWhole = false;
    try {
      const answered = await request(connection).catch(async (error) => {
        if (!connection.isUsed || signal.aborted) throw error;
        // One that was kept may have been closed meanwhile. Events come at least once and have ids: it may be sent again.
        connections.end(connection);
        connection = await connections.takeNew(url, signal);
        return request(connection);
      });
      const read = await readBeginning(answered.body);
      isWhole = read.isWhole;
      return { statusCode: answered.statusCode, answer: read.text };
    } finally {
      if (isWhole) connections.keep(connection);
      else connections.end(connection);
    }
  }

  return async (url, headers, body) => {
    const startedAt = clock.now();
    const fault = findUrlFault(url, config.webhookAllowLocal);
    if (fault) return { success: false, statusCode: null, durationMs: 0, error: fault };
    const limit = new AbortController();
    const cancel = clock.timer(config.webhookTimeoutMs, () => limit.abort());
    const { signal } = limit;
    try {
      const { statusCode, answer } = await post(new URL(url), headers, body, signal);
      const success = statusCode >= 200 && statusCode < 300;
      const error = success ? null : `The receiver responded with ${statusCode}`;
      return { success, statusCode, durationMs: clock.now() - startedAt, error, ...(answer && { answer }) };
    } catch (error) {
      const reason = signal.aborted ? `No response within ${config.webhookTimeoutMs / 1000} s` : getMessage(error);
      return { success: false, statusCode: null, durationMs: clock.now() - startedAt, error: reason };
    } finally {
      cancel();
    }
  };
}

/** The first kilobyte of an answer as text, without a character that its end cuts; and whether it was read to its end. */
async function readBeginning(answer: AsyncIterable<Uint8Array>): Promise<{ text: string; isWhole: boolean }> {
  const kept: Uint8Array[] = [];
  let read = 0;
  for await (const chunk of answer) {
    if (read < MAX_KEPT_BYTES) kept.push(chunk.subarray(0, MAX_KEPT_BYTES - read));
    read += chunk.length;
    if (read >= MAX_READ_BYTES) break;
  }
  const text = new TextDecoder().decode(Buffer.concat(kept), { stream: true });
  return { text, isWhole: read < MAX_READ_BYTES };
}

function getMessage(error: unknown): string {
  const { message, code }: Error & { code?: string } = errorOf(error);
  return (message || code || 'failed').slice(0, 200);
}
