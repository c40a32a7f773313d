import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { endpoints } from '../../shared/http/operations/endpoints.ts';
import { requireOwner } from '../../shared/http/operations/owner.ts';
import { query } from '../../shared/http/validation.ts';
import { listActivity, presentActivity } from '../../shared/platform/activity.ts';
import { activityQuery } from '../../shared/platform/activity-schema.ts';
import type { Effects } from '../../shared/platform/effects.ts';

/** Lists what the user and the service changed in the last 90 days (api 1.8), newest first. */
export default (effects: Effects) =>
  createApp('account/activity', effects).get(
    toHonoPath('account/activity'),
    requireOwner(effects, endpoints['account/activity']),
    query(endpoints['account/activity'], activityQuery),
    async (c) => {
      const { entries, next } = await listActivity(effects, c.var.owner, c.req.valid('query'));
      return c.json({ entries: entries.map(presentActivity), next });
    },
  );
