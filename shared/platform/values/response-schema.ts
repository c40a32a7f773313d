import * as z from 'zod';

/** Schemas that several responses share. They are created by calls marked as pure, so that bundles of functions that do not use them drop zod. */

export const moment = /* @__PURE__ */ z.iso.datetime();
export const countValue = /* @__PURE__ */ atLeast0(() => z.int());
export const usdResponse = /* @__PURE__ */ atLeast0(() => z.number());

/** Schema of the response to a deletion. */
export const messageResponse = /* @__PURE__ */ createMessageResponse();

function atLeast0<T extends z.ZodNumber>(create: () => T): T {
  return create().min(0);
}

function createMessageResponse() {
  return z.object({ message: z.string().describe('Confirmation') }).meta({ id: 'Confirmation' });
}
