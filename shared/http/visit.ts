import { cutAddress } from './address.ts';
import type { RequestContext } from './env.ts';

/** What click and impression checks read and log. The IP address is truncated. */
export const toVisit = (c: RequestContext) => ({
  requestId: c.env.requestId,
  method: c.req.method,
  header: (name: string) => c.req.header(name),
  ip: cutAddress(c.env.sourceIp),
});
