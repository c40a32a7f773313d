import * as z from 'zod';
import { bidRequest } from '../../shared/ads/bids/bid-schema.ts';
import { adRequest } from '../../shared/ads/legacy/legacy-schema.ts';
import { createCampaign } from '../../shared/campaigns/campaign-schema.ts';
import { createApiKey } from '../../shared/keys/key-schema.ts';
import { noBidReasons, outcomes } from '../../shared/platform/values/outcomes.ts';

const usd = z.number().nonnegative();
const count = z.int().nonnegative();

/** Spend and counts of a campaign before the auction. Defaults to 0. */
const history = z.strictObject({
  spent: usd.default(0),
  spentToday: usd.default(0),
  impressions: count.default(0),
  clicks: count.default(0),
  chargedClicks: count.optional(),
  conversions: count.default(0),
  chargedConversions: count.optional(),
});

const expectation = z
  .strictObject({
    winners: z.array(z.strictObject({ campaign: z.string(), bid: usd.or(z.strictObject({ from: usd, to: usd })) })),
    losers: z.record(z.string(), z.enum(outcomes)).default({}),
    noBid: z.enum(noBidReasons).optional(),
  })
  .refine(({ winners, noBid }) => (winners.length === 0) === (noBid !== undefined), 'either winners or noBid');

const auction = z
  .strictObject({
    /** The body of POST /ssp/bid, or of POST /ad-serving/request. */
    bidRequest: exactly(bidRequest).optional(),
    adRequest: exactly(adRequest).optional(),
    expect: expectation,
  })
  .refine((one) => !one.bidRequest !== !one.adRequest, 'one of bidRequest and adRequest');

/** The format of the JSON files in this folder. */
export const auctionCase = z
  .strictObject({
    about: z.string(),
    now: z.iso.datetime().default('2026-11-20T12:00:00Z'),
    random: z.number().min(0).lt(1).default(0.5),
    campaigns: z.array(exactly(createCampaign)).min(1),
    history: z.record(z.string(), history).default({}),
    apiKey: exactly(createApiKey.partial()).default({}),
    auctions: z.array(auction).min(1),
  })
  .superRefine(({ campaigns, history }, context) => {
    for (const name of Object.keys(history)) {
      if (!campaigns.some((campaign) => campaign.name === name))
        context.addIssue(`history of ${name}, which is not a campaign`);
    }
  });

export type AuctionCase = z.output<typeof auctionCase>;

/** The request body of an operation, unparsed. Rejects fields that the operation would ignore. */
function exactly<S extends z.ZodType>(schema: S) {
  return z.unknown().transform((body, context): z.input<S> => {
    const read = schema.safeParse(body);
    const issues = read.success ? unreadFields(body, read.data) : read.error.issues;
    for (const { path, message } of issues) context.addIssue({ code: 'custom', path: [...path], message });
    return body as z.input<S>;
  });
}

interface Issue {
  path: PropertyKey[];
  message: string;
}

function unreadFields(sent: unknown, read: unknown, path: PropertyKey[] = []): Issue[] {
  if (!isObject(sent) || !isObject(read)) return [];
  return Object.keys(sent).flatMap((name) =>
    name in read
      ? unreadFields(sent[name], read[name], [...path, name])
      : [{ path: [...path, name], message: 'no such field' }],
  );
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
