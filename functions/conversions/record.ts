import { recordConversion } from '../../shared/conversions/schema.ts';
import { conversionStore, presentConversion } from '../../shared/conversions/store.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { notFound } from '../../shared/http/errors.ts';
import { created, ok } from '../../shared/http/response.ts';

/** Record a conversion (api 7): 201 the first time, 200 with the first record when its id comes again. */
export default endpoint('conversions/record', (effects) => {
  const conversions = conversionStore(effects);

  return {
    body: recordConversion,

    async act({ owner, body }) {
      const recorded = await conversions.record(owner, body);
      if (recorded.outcome === 'unknown_click') throw notFound('management', 'Click not found');
      const conversion = presentConversion(recorded.conversion);
      return recorded.outcome === 'recorded' ? created(conversion) : ok(conversion);
    },
  };
});
