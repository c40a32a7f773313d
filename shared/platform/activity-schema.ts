import * as z from 'zod';
import { ACTIONS, SERVICE_REASONS } from './activity.ts';
import { isId } from './values/ids.ts';
import { countValue, moment } from './values/response-schema.ts';
import { wholeNumber } from './values/value-schema.ts';

const SUBJECT = 'subject must be the id of a campaign, an API key, or a webhook';
const BEFORE = 'before must be the id of an entry, such as next in the previous response';

const idOf = (message: string, ...kinds: Parameters<typeof isId>[0][]) =>
  z.string(message).refine((id) => kinds.some((kind) => isId(kind, id)), message);

/** The query of the activity of a user. */
export const activityQuery = z.object({
  subject: idOf(SUBJECT, 'campaign', 'apiKey', 'webhook')
    .optional()
    .describe('Only entries of this campaign, API key, or webhook, even if it was deleted'),
  before: idOf(BEFORE, 'activity').optional().describe('Set to `next` from the previous response to get older entries'),
  limit: wholeNumber('limit', 1, 100).default(50).describe('Maximum number of entries; default 50'),
});

const value = z.union([z.string(), z.number(), z.boolean(), z.null()]).optional();
const listed = z.array(z.string()).optional();

const fieldChange = z
  .object({
    field: z.string().describe('The field as in the API, such as `budget` or `targetAudience.keywords`'),
    before: value.describe('The previous value, null if there was none; absent for lists'),
    after: value.describe('The new value, null if there is none; absent for lists'),
    added: listed.describe('Only for lists: the new items. If none were added or removed, the order changed'),
    removed: listed.describe('Only for lists: the removed items'),
    omitted: countValue
      .optional()
      .describe('Number of added and removed items left out, because the change is too long'),
  })
  .meta({ id: 'FieldChange' });

/** A page of the activity of a user. */
export const activityResponse = z
  .object({
    entries: z
      .array(
        z
          .object({
            id: z.string().describe('Begins with `act_`'),
            time: moment.describe('When it happened'),
            subject: z.string().describe('The id of the campaign, API key, or webhook'),
            name: z.string().describe('Its name at that time; the host of a webhook'),
            action: z.enum(ACTIONS).describe('What happened. `rotated`: it has a new secret'),
            actor: z.enum(['user', 'service']).describe('Who did it'),
            userId: z.string().nullable().describe('The user who did it; null for the service'),
            reason: z
              .enum(SERVICE_REASONS)
              .nullable()
              .describe(
                'Why the service did it. `budget`, `daily_budget`: it is spent. `new_day`: the daily budget is available again. ' +
                  '`end_date`: it has passed. `failing_webhook`: no delivery succeeded for 5 days. null for a user',
              ),
            changes: z
              .array(fieldChange)
              .describe(
                'The changed fields. Long texts end with an ellipsis, so that all changes together take at most 4 KB',
              ),
          })
          .meta({ id: 'ActivityEntry' }),
      )
      .describe('The entries, newest first'),
    next: z.string().nullable().describe('Send it as `before` to get older entries; null if there are none'),
  })
  .meta({ id: 'Activity' });
