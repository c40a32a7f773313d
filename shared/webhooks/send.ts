import type { Effects } from '../platform/effects.ts';
import { toError } from '../platform/values/typed.ts';
import { createReceiverConnections, type ReceiverConnection } from './receiver-connections.ts';
import { findUrlFault } from './receiver-url.ts';

/** The result of one request to a receiver. */
export interface SendResult {
  success: boolean;
  statusCode: number | null;
  durationMs: number;
  error: string | null;
  /** The first kilobyte of the response body as text; absent if the body was empty. */
  answer?: string;
}

export type Send = (url: string, headers: Record<string, string>, body: string) => Promise<SendResult>;

const USER_AGENT = 'conversation-ads-webhooks/1.0';
/** Bytes read from a response: reading it to the end lets the connection be reused. */
const MAX_READ_BYTES = 64 * 1024;
/** Bytes kept from a response, for troubleshooting. */
const MAX_KEPT_BYTES = 1024;

/**
 * Posts to receivers over pooled connections. Does not follow redirects. The timeout covers the whole request, including a slow
 * response body.
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
    let isComplete = false;
    try {
      const response = await request(connection).catch(async (error) => {
        if (!connection.isUsed || signal.aborted) throw error;
        // The receiver may have closed the pooled connection. Sending again is safe: delivery is at least once, and events have ids.
        connections.end(connection);
        connection = await connections.takeNew(url, signal);
        return request(connection);
      });
      const beginning = await readBeginning(response.body);
      isComplete = beginning.isComplete;
      return { statusCode: response.statusCode, answer: beginning.text };
    } finally {
      if (isComplete) connections.keep(connection);
      else connections.end(connection);
    }
  }

  return async (url, headers, body) => {
    const startedAt = clock.now();
    const fault = findUrlFault(url, config.webhookAllowLocal);
    if (fault) return { success: false, statusCode: null, durationMs: 0, error: fault };
    const controller = new AbortController();
    const cancel = clock.timer(config.webhookTimeoutMs, () => controller.abort());
    const { signal } = controller;
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

/** The first kilobyte of a body as text, minus a truncated last character; and whether the whole body was read. */
async function readBeginning(body: AsyncIterable<Uint8Array>): Promise<{ text: string; isComplete: boolean }> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    if (bytes < MAX_KEPT_BYTES) chunks.push(chunk.subarray(0, MAX_KEPT_BYTES - bytes));
    bytes += chunk.length;
    if (bytes >= MAX_READ_BYTES) break;
  }
  const text = new TextDecoder().decode(Buffer.concat(chunks), { stream: true });
  return { text, isComplete: bytes < MAX_READ_BYTES };
}

function getMessage(error: unknown): string {
  const { message, code }: Error & { code?: string } = toError(error);
  return (message || code || 'failed').slice(0, 200);
}
