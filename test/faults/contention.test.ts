import { Readable } from 'node:stream';
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import type { Bid } from '../../shared/bids/bid.ts';
import { openDatabase, Unavailable } from '../../shared/database.ts';
import { createServing } from '../../shared/serving/serve.ts';
import { useService } from '../harness.ts';
import { generator } from '../random.ts';

const service = useService();
type Handler = NonNullable<DynamoDBClientConfig['requestHandler']> & {
  handle(request: never, more: never): Promise<never>;
};

/** What DynamoDB says of contention and of too much traffic, which the stand-in never has. */
const refusal = (type: string, more: object = {}) => ({
  response: {
    statusCode: 400,
    headers: { 'content-type': 'application/x-amz-json-1.0' },
    body: Readable.from([Buffer.from(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, ...more }))]),
  },
});
const conflict = () =>
  refusal('TransactionCanceledException', {
    message: 'cancelled',
    CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict', Message: 'busy' }],
  });

/** A client whose transactions conflict, whose requests are throttled, and whose answers get lost, as the seed says. */
function troubled(
  client: DynamoDBClientConfig,
  random: () => number,
): { client: DynamoDBClientConfig; told: string[] } {
  const inner = new DynamoDBClient(client).config.requestHandler as unknown as Handler;
  const told: string[] = [];
  const handle = async (request: { headers: Record<string, string> }, more: never) => {
    const isTransaction = request.headers['x-amz-target']?.endsWith('TransactWriteItems');
    const drawn = random();
    if (drawn < 0.05) {
      told.push('throttled');
      return refusal('ThrottlingException', { message: 'slow down' });
    }
    if (isTransaction && drawn < 0.35) {
      told.push('conflict');
      return conflict();
    }
    const answer = await inner.handle(request as never, more);
    if (!isTransaction || drawn < 0.9) return answer;
    told.push('lost');
    throw Object.assign(new Error('the answer was lost'), { name: 'TimeoutError' });
  };
  return { client: { ...client, maxAttempts: 1, requestHandler: { handle } as never }, told };
}

it('Conflicts in 30 % of transactions, throttling and lost answers: served or a clean "come again", and one charge each', async () => {
  const { effects } = service.stack;
  const { id } = await service.campaign({ budget: 0.1, targetAudience: { keywords: ['contention'] } });
  const { bidId } = (await service.bid(await service.key(), 'contention')).body;
  const won = (await effects.db.get('bids', { id: bidId }))!;
  const bids = Array.from({ length: 60 }, () => ({ ...won, id: effects.ids.uuid() }) as unknown as Bid);
  await Promise.all(bids.map((bid) => effects.db.write({ table: 'bids', put: bid })));
  const { client, told } = troubled(service.stack.client, generator(5));
  const { clock, ids } = effects;
  const db = openDatabase({ prefix: service.config.tablePrefix, clock, ids, client });
  const serve = createServing({ ...effects, db });

  const insist = async (bid: Bid) => {
    for (;;) {
      try {
        return (await serve(bid)).outcome;
      } catch (error) {
        expect(error).toBeInstanceOf(Unavailable); // and so a 503
      }
    }
  };
  const outcomes = await Promise.all(bids.map(insist));
  expect(outcomes.filter((outcome) => outcome === 'served')).toHaveLength(25); // of 0.004 each
  expect(new Set(told)).toEqual(new Set(['throttled', 'conflict', 'lost']));
  const stored = await effects.db.getAll(
    'bids',
    bids.map((bid) => ({ id: bid.id })),
  );
  expect(stored.reduce((sum, bid) => sum + (bid.charged ?? 0), 0)).toBe(100_000);
  const { body } = await service.user()('GET', `/campaigns/${id}`);
  expect(body).toMatchObject({ spentBudget: 0.1, pausedReason: 'budget', performance: { impressions: 25 } });
});
