import { cutAddress } from './address.ts';
import type { RequestContext } from './env.ts';

/** What a click or an impression is judged and logged by; the address is cut. */
export const toVisit = (c: RequestContext) => ({
  requestId: c.env.requestId,
  method: c.req.method,
  header: (name: string) => c.req.header(name),
  ip: cutAddress(c.env.sourceIp),
});
