import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Biddable } from '../campaigns/biddable.ts';
import type { Funds } from '../campaigns/funds.ts';
import type { Holdings } from '../campaigns/holdings.ts';

/** One bucket of a snapshot. */
export interface Part {
  campaigns: Biddable[];
  funds: Funds[];
}

/** The bucket of a campaign, by its id's FNV-1a hash (Fowler, Noll and Vo). */
export function bucketOf(id: string, buckets: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193);
  return (hash >>> 0) % buckets;
}

const zip = promisify(gzip);
const unzip = promisify(gunzip);

/** Compressed beside the event loop, not on it. */
export const pack = ({ campaigns, funds }: Holdings): Promise<Uint8Array> =>
  zip(JSON.stringify({ campaigns: [...campaigns.values()], funds: [...funds.values()] } satisfies Part));

/** Undefined when it is damaged. */
export const unpack = (body: Uint8Array): Promise<Part | undefined> =>
  unzip(body).then(
    (text) => JSON.parse(text.toString()) as Part,
    () => undefined,
  );

export const holdingsOf = ({ campaigns, funds }: Part): Holdings => ({
  campaigns: new Map(campaigns.map((campaign) => [campaign.id, campaign])),
  funds: new Map(funds.map((one) => [one.id, one])),
});
