import { recordConversion } from '../../shared/ads/conversions/conversion-schema.ts';
import { createConversionStore, presentConversion } from '../../shared/ads/conversions/store.ts';
import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { notFound } from '../../shared/http/errors.ts';
import { endpoints } from '../../shared/http/operations/endpoints.ts';
import { requireOwner } from '../../shared/http/operations/owner.ts';
import { jsonBody } from '../../shared/http/validation.ts';
import type { Effects } from '../../shared/platform/effects.ts';

/** Records a conversion (api 7): 201 the first time; 200 with the original record if its id is repeated. */
export default (effects: Effects) => {
  const conversions = createConversionStore(effects);

  return createApp('conversions/record', effects).post(
    toHonoPath('conversions/record'),
    requireOwner(effects, endpoints['conversions/record']),
    ...jsonBody(endpoints['conversions/record'], recordConversion),
    async (c) => {
      const recorded = await conversions.record(c.var.owner, c.req.valid('json'));
      if (recorded.outcome === 'unknown_click') throw notFound('management', 'Click not found');
      return c.json(presentConversion(recorded.conversion), recorded.outcome === 'recorded' ? 201 : 200);
    },
  );
};
