import type { SupplyChain } from '../bids/bid.ts';
import { getMember } from '../conversations/conversation-schema.ts';
import type { ExchangeBidRequest } from './openrtb-schema.ts';

/** Maximum bytes of `asi` and `sid` together, so that a bid stays within 1 KB. */
const MAX_NODE_BYTES = 200;
/** Domains and seller IDs are ASCII, one byte per character. */
const TEXT = /^[ -~]+$/;

/** The supply chain of a request, of OpenRTB 2.6 or in the place of 2.5; undefined if there is none, or none that can be read. */
export const getSupplyChain = ({ source }: ExchangeBidRequest): SupplyChain | undefined =>
  readSupplyChain(source?.schain) ?? readSupplyChain(source?.ext?.schain);

/** Never fails: a chain decides nothing about the bid. A last node that is malformed or too long is left out, because a part would name another seller. */
function readSupplyChain(chain: unknown): SupplyChain | undefined {
  const complete = getMember(chain, 'complete');
  if (complete !== 0 && complete !== 1) return undefined;
  const nodes = getMember(chain, 'nodes');
  const last: unknown = Array.isArray(nodes) ? nodes.at(-1) : undefined;
  const [asi, sid] = [getMember(last, 'asi'), getMember(last, 'sid')];
  if (typeof asi !== 'string' || typeof sid !== 'string') return { complete };
  const isKept = TEXT.test(asi) && TEXT.test(sid) && asi.length + sid.length <= MAX_NODE_BYTES;
  return { complete, ...(isKept && { asi, sid }) };
}
