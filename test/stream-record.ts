import { marshall } from '@aws-sdk/util-dynamodb';
import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import type { AnyItem } from './memory/untyped-database.ts';

let sequence = 0;
const image = (item: AnyItem | undefined) => item && (marshall(item) as Record<string, AttributeValue>);

/** A record of a table's stream, as Lambda receives it. */
export const streamRecord = (old: AnyItem | undefined, now: AnyItem | undefined, table = 'bids'): DynamoDBRecord => ({
  eventSourceARN: `arn:aws:dynamodb:local:000000000000:table/ads-${table}/stream/2026`,
  eventID: `record-${++sequence}`,
  eventName: old ? (now ? 'MODIFY' : 'REMOVE') : 'INSERT',
  eventSource: 'aws:dynamodb',
  dynamodb: {
    OldImage: image(old),
    NewImage: image(now),
    SequenceNumber: String(sequence),
    StreamViewType: 'NEW_AND_OLD_IMAGES',
  },
});
