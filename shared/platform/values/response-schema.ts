import * as z from 'zod';

/** Schemas that several responses share. They are created by calls marked as pure, so that bundles of functions that do not use them drop zod. */

export const moment = /* @__PURE__ */ z.iso.datetime();
export const countValue = /* @__PURE__ */ atLeast0(() => z.int());
export const usdResponse = /* @__PURE__ */ atLeast0(() => z.number());

/** Figures that reports show next to those that count. */
export const viewableImpressionsResponse = /* @__PURE__ */ createViewableImpressionsResponse();
export const suspectClicksResponse = /* @__PURE__ */ createSuspectClicksResponse();

/** Schema of the response to a deletion. */
export const messageResponse = /* @__PURE__ */ createMessageResponse();

function atLeast0<T extends z.ZodNumber>(create: () => T): T {
  return create().min(0);
}

function createViewableImpressionsResponse() {
  return countValue.describe(
    'Impressions that were reported as viewable (half of the ad visible for one second), on the day of the impression',
  );
}

function createSuspectClicksResponse() {
  return z
    .object({
      tooFast: countValue.describe('Clicks within 300 ms of the ad'),
      tooMany: countValue.describe(
        'Other clicks on a campaign after the first 30 from one truncated IP address in a minute',
      ),
    })
    .describe('Those of `clicks` that are suspect, by reason. None after an opt-out')
    .meta({ id: 'SuspectClicks' });
}

function createMessageResponse() {
  return z.object({ message: z.string().describe('Confirmation') }).meta({ id: 'Confirmation' });
}
