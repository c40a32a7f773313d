import { GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { zValidator } from '@hono/zod-validator';
import { Hono } from 'hono';
import * as z from 'zod';
import { checkKey, db, lambdaHandler, toTableName } from './common.ts';

/** A plain Hono function that makes the same calls as `functions/ssp/ad.ts`. */
const app = new Hono();
app.get('/api/v1/ssp/ad/:bidId', checkKey, zValidator('param', z.object({ bidId: z.uuid() })), async (c) => {
  const { bidId } = c.req.valid('param');
  const { Item: bid } = await db.send(
    new GetCommand({ TableName: toTableName('bids'), Key: { id: bidId }, ConsistentRead: true }),
  );
  if (!bid) return c.json({ error: 'Bid not found' }, 404);
  const key = { owner: bid.campaignOwner, item: `campaign#${bid.campaignId}` };
  const { Item: campaign } = await db.send(
    new GetCommand({ TableName: toTableName('campaigns'), Key: key, ConsistentRead: true }),
  );
  if (!campaign) return c.json({ error: 'Bid expired' }, 410);
  if (bid.state === 'issued') await charge(bidId, bid.campaignId, Math.ceil(bid.price / 1_000));
  const { headline, description } = campaign.creative;
  const url = `https://ads.example/api/v1/click/${bidId}`;
  return c.json({ adText: `${headline}. ${description}`, redirectUrl: url, nativeAd: { link: { url } } });
});

/** Serves the bid and deducts its cost from the balance in one transaction. */
async function charge(bidId: string, campaignId: string, cost: number): Promise<void> {
  const now = Date.now();
  const day = new Date(now).toISOString().slice(0, 10);
  await db.send(
    new TransactWriteCommand({
      TransactItems: [
        {
          Update: {
            TableName: toTableName('bids'),
            Key: { id: bidId },
            UpdateExpression: 'SET #state = :served, servedAt = :now, charged = :cost, #day = :day, #ttl = :ttl',
            ConditionExpression: '#state = :issued AND validUntil > :now',
            ExpressionAttributeNames: { '#state': 'state', '#day': 'day', '#ttl': 'ttl' },
            ExpressionAttributeValues: {
              ':served': 'served',
              ':issued': 'issued',
              ':now': now,
              ':cost': cost,
              ':day': day,
              ':ttl': Math.ceil(now / 1_000) + 7_776_000,
            },
          },
        },
        {
          Update: {
            TableName: toTableName('ledgers'),
            Key: { campaignId, row: 'money' },
            UpdateExpression:
              'SET remaining = remaining - :cost, dayRemaining = dayRemaining - :cost ADD spent :cost, impressions :one, daySpend :cost, dayImpressions :one',
            ConditionExpression: '#day = :day AND remaining > :cost AND dayRemaining > :cost',
            ExpressionAttributeNames: { '#day': 'day' },
            ExpressionAttributeValues: { ':cost': cost, ':one': 1, ':day': day },
          },
        },
      ],
    }),
  );
}

export const handler = lambdaHandler(app);
