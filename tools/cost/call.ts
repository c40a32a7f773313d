import { readFileSync } from 'node:fs';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { DEMO_ADVERTISER, DEMO_PUBLISHER } from '../../infra/local/seed.ts';
import type { Stack } from '../../infra/local/stack.ts';
import type { EndpointName } from '../../shared/http/operations/endpoints.ts';

/** Long enough for a refresh, but shorter than the ten seconds for which an instance caches a key's settings. */
export const REFRESH_MS = 1_500;

/** A fixture with a request id of realistic length. */
export function gatewayEvent(name: string): APIGatewayProxyEventV2 {
  const event: APIGatewayProxyEventV2 = JSON.parse(readFileSync(`events/${name}.json`, 'utf8'));
  return { ...event, requestContext: { ...event.requestContext, requestId: 'JKJaXmPLvHcESHA=' } };
}

/** Sends a fixture to its function. @returns the body of the response */
export async function call(
  stack: Stack,
  name: EndpointName,
  more: Partial<APIGatewayProxyEventV2> = {},
): Promise<string> {
  const { statusCode, body = '' } = await stack.handlers[name]({ ...gatewayEvent(name), ...more });
  if (statusCode! >= 400) throw new Error(`${name}: ${body}`);
  return body;
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** The headers of requests with several new keys. */
export async function createKeys(stack: Stack, count: number): Promise<Record<string, string>[]> {
  const headers = { ...JSON_TYPE, 'x-user-id': DEMO_PUBLISHER };
  const made: Record<string, string>[] = [];
  for (let key = 0; key < count; key++) {
    const created = await call(stack, 'api-keys/create', { headers, body: JSON.stringify({ name: `Busy ${key}` }) });
    made.push({ ...JSON_TYPE, 'x-api-key': JSON.parse(created).key });
  }
  return made;
}

/** Makes bids with several keys, as fast as their limits allow. */
export async function bidWithKeys(stack: Stack, keys: readonly Record<string, string>[], bids: number): Promise<void> {
  for (const headers of keys) for (let bid = 0; bid < bids; bid++) await call(stack, 'ssp/bid', { headers });
}

/** Changes a campaign of the demo's advertiser, and runs the workers that follow. */
export async function changeDemoCampaign(stack: Stack, id: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json', 'x-user-id': DEMO_ADVERTISER };
  await call(stack, 'campaigns/update', { headers, body: JSON.stringify(body), pathParameters: { id } });
  await stack.drain();
}
