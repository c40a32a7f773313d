import { randomUUID } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { zValidator } from '@hono/zod-validator';
import { Hono } from 'hono';
import * as z from 'zod';
import { checkKey, db, lambdaHandler, toTableName } from './common.ts';

const bidRequest = z.object({
  countryCode: z.string().regex(/^[A-Z]{2}$/),
  messages: z
    .array(z.object({ role: z.enum(['user', 'assistant']), content: z.string().max(32_768) }))
    .min(1)
    .max(1_000),
});

/** A plain Hono function that makes the same calls as `functions/ssp/bid.ts`, without matching. */
const app = new Hono();
app.post('/api/v1/ssp/bid', checkKey, zValidator('json', bidRequest), async (c) => {
  const { countryCode } = c.req.valid('json');
  const { key } = c.var;
  const issuedAt = Date.now();
  const bid = {
    id: randomUUID(),
    keyId: key.id,
    keyOwner: key.owner,
    mode: key.mode,
    campaignId: 'cmp_00000000000000000000',
    campaignOwner: 'demo-advertiser',
    campaignVersion: 1,
    price: 4_250_000,
    relevance: 0.9,
    countryCode,
    terms: { phrases: ['shoes', 'running shoes'] },
    keywords: [0],
    state: 'issued',
    issuedAt,
    validUntil: issuedAt + 300_000,
    ttl: Math.ceil(issuedAt / 1_000) + 301,
  };
  await db.send(
    new PutCommand({ TableName: toTableName('bids'), Item: bid, ConditionExpression: 'attribute_not_exists(id)' }),
  );
  return c.json({ bid: bid.price / 1_000_000, bidId: bid.id });
});

export const handler = lambdaHandler(app);
