import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { Hono } from 'hono';
import { db, lambdaHandler, toTableName } from './common.ts';

/** A plain Hono function that makes the same call as `functions/click/redirect.ts`. */
const app = new Hono();
app.get('/api/v1/click/:trackingId', async (c) => {
  const now = Date.now();
  const click = {
    at: now,
    userAgent: c.req.header('user-agent') ?? '',
    referrer: c.req.header('referer') ?? '',
    ip: '203.0.113.0',
  };
  const { Attributes } = await db.send(
    new UpdateCommand({
      TableName: toTableName('bids'),
      Key: { id: c.req.param('trackingId') },
      UpdateExpression: 'SET click = if_not_exists(click, :click) ADD genuineVisits :one',
      ConditionExpression: '#state = :served AND #ttl > :seconds',
      ExpressionAttributeNames: { '#state': 'state', '#ttl': 'ttl' },
      ExpressionAttributeValues: {
        ':click': click,
        ':one': 1,
        ':served': 'served',
        ':seconds': Math.floor(now / 1_000),
      },
      ReturnValues: 'ALL_NEW',
    }),
  );
  return c.redirect(`https://shop.example/?campaign=${Attributes?.campaignId}&click_id=${Attributes?.id}`);
});

export const handler = lambdaHandler(app);
