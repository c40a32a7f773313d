import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { notFound } from '../../shared/http/errors.ts';
import { endpoints } from '../../shared/http/operations/endpoints.ts';
import { requireOwner } from '../../shared/http/operations/owner.ts';
import { jsonBody, nameIgnored } from '../../shared/http/validation.ts';
import { changeApiKey } from '../../shared/keys/change-key.ts';
import { presentApiKey } from '../../shared/keys/find-key.ts';
import { updateApiKey } from '../../shared/keys/key-schema.ts';
import type { Effects } from '../../shared/platform/effects.ts';
import { fromUsd } from '../../shared/platform/values/money.ts';
import { getKeys } from '../../shared/platform/values/typed.ts';

/** Updates an API key from a partial body (api 2). Name and floor apply to the next request, settings within ten seconds. */
export default (effects: Effects) =>
  createApp('api-keys/update', effects).patch(
    toHonoPath('api-keys/update'),
    requireOwner(effects, endpoints['api-keys/update']),
    ...jsonBody(endpoints['api-keys/update'], updateApiKey),
    async (c) => {
      const { name, bidFloor, judge, mode, isActive, ...settings } = c.req.valid('json');
      const key = await changeApiKey(effects, c.var.owner, c.req.param('id'), {
        name,
        bidFloor: bidFloor === undefined ? undefined : fromUsd(bidFloor ?? 0),
        judge: judge === undefined ? undefined : (judge ?? true),
        settings,
      });
      if (!key) throw notFound('management', 'API key not found');
      const readOnly = { mode, isActive };
      nameIgnored(
        c,
        getKeys(readOnly).filter((field) => readOnly[field] !== undefined && readOnly[field] !== key[field]),
      );
      return c.json(presentApiKey(key, effects.clock.now()));
    },
  );
