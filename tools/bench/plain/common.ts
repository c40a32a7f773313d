/** Shared by the plain functions: the adapter for Lambda events, the store, and the check of an API key. */
import { createHash } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { createMiddleware } from 'hono/factory';

/** Variables that `checkKey` adds to the context. */
interface KeyEnv {
  Variables: { key: Record<string, unknown> };
}

const LIMIT = 15;

export const db = DynamoDBDocumentClient.from(new DynamoDBClient({}));

export const toTableName = (table: string): string => `${process.env.TABLE_PREFIX}${table}`;

/** The Lambda handler of an app. */
export const lambdaHandler =
  ({ fetch }: { fetch: (request: Request) => Response | Promise<Response> }) =>
  async ({
    requestContext: { http },
    rawPath,
    rawQueryString,
    headers,
    body,
    isBase64Encoded,
  }: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => {
    const url = new URL(rawPath, 'https://localhost');
    url.search = rawQueryString;
    const request = new Request(url, {
      method: http.method,
      headers: headers as Record<string, string>,
      body: body === undefined ? undefined : Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'),
    });
    const response = await fetch(request);
    return {
      statusCode: response.status,
      headers: Object.fromEntries(response.headers),
      body: await response.text(),
    };
  };

/** Counts a request of a key, at most 15 per second, with the same write as `shared/keys/use-key.ts`. */
export const checkKey = createMiddleware<KeyEnv>(async (c, next) => {
  const hash = createHash('sha256')
    .update(c.req.header('x-api-key') ?? '')
    .digest('hex');
  const now = Date.now();
  const times = Array.from({ length: LIMIT }, (_, index) => `#b${index}`);
  const shifted = times.map((time, index) => `${time} = ${times[index + 1] ?? ':now'}`);
  const write = new UpdateCommand({
    TableName: toTableName('api-keys'),
    Key: { id: `key_${hash.slice(0, 32)}` },
    UpdateExpression: `SET #lastUsedAt = :time, ${shifted.join(', ')} ADD #requestCount :one`,
    ConditionExpression: '#isActive = :true AND attribute_not_exists(#secret) AND #b0 <= :cutoff',
    ExpressionAttributeNames: {
      '#lastUsedAt': 'lastUsedAt',
      '#requestCount': 'requestCount',
      '#isActive': 'isActive',
      '#secret': 'secret',
      ...Object.fromEntries(times.map((time) => [time, time.slice(1)])),
    },
    ExpressionAttributeValues: {
      ':true': true,
      ':one': 1,
      ':now': now,
      ':time': new Date(now).toISOString(),
      ':cutoff': now - 1_000,
    },
    ReturnValues: 'ALL_NEW',
  });
  const { Attributes } = await db.send(write);
  c.set('key', Attributes ?? {});
  await next();
});
