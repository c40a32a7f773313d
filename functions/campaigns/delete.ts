import { deleteCampaign } from '../../shared/campaigns/remove.ts';
import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { notFound } from '../../shared/http/errors.ts';
import { endpoints } from '../../shared/http/operations/endpoints.ts';
import { requireOwner } from '../../shared/http/operations/owner.ts';
import type { Effects } from '../../shared/platform/effects.ts';

/** Deletes a campaign permanently (api 3.4). Its name can be used again. */
export default (effects: Effects) =>
  createApp('campaigns/delete', effects).delete(
    toHonoPath('campaigns/delete'),
    requireOwner(effects, endpoints['campaigns/delete']),
    async (c) => {
      const isRemoved = await deleteCampaign(effects, c.var.owner, c.req.param('id'));
      if (!isRemoved) throw notFound('management', 'Campaign not found');
      return c.json({ message: 'Campaign deleted successfully' });
    },
  );
