import * as z from 'zod';
import { createCategoryPaths } from '../platform/values/category-paths.ts';
import { keysOf } from '../platform/values/typed.ts';
import { canonicalAgentUrl } from '../platform/values/urls.ts';
import { domain, grouped, listOf, unicode } from '../platform/values/value-schema.ts';

/** One setting of a key: what may be sent (null sets it back), and what is answered. */
interface SettingField {
  input: z.ZodType;
  answer: z.ZodType;
}

/** The notices of an exchange that can charge. */
const BILLINGS = ['burl', 'impression'] as const;
export type Billing = (typeof BILLINGS)[number];

/** What the winner of an auction pays. */
const PRICE_RULES = ['first', 'second'] as const;

const whole = (name: string, least: number, most: number) => {
  const message = `${name} must be a whole number from ${least} to ${grouped(most)}`;
  return z.int(message).min(least, message).max(most, message);
};

const MAX_DOMAINS = 500;
const DOMAINS = `blockedDomains must be a list of at most ${MAX_DOMAINS} domains`;

/** What would block nothing is refused. The table of categories is read when the first one is sent. */
const categories = listOf('blockedCategories', 50).superRefine((said, { addIssue }) => {
  const pathsOf = createCategoryPaths();
  const unknown = said.filter((name) => pathsOf(name).length === 0);
  if (unknown.length === 0) return;
  const message = `blockedCategories must contain only names or ids of the IAB Content Taxonomy; unknown: ${unknown.join(', ')}`;
  addIssue({ code: 'custom', message });
});

const AGENT_URL =
  'sellerAgentUrl must be an https URL of at most 2,048 characters, such as https://assistant.example/agent';

/** Kept in the form in which it is compared. Without encryption nobody's address says who asks. */
const agentUrl = unicode(AGENT_URL)
  .max(2_048, AGENT_URL)
  .transform((url) => canonicalAgentUrl(url) ?? '')
  .refine((url) => url.startsWith('https://'), AGENT_URL);

/**
 * The table of the settings of a key: body, answer, what is stored and what bidding reads all derive from it; what holds until one is
 * set stands in `initialSettings`. They may be long, so they stand in an item of their own, which no request writes.
 */
const settingFields = {
  blockedDomains: {
    input: z.array(domain('blockedDomains'), DOMAINS).max(MAX_DOMAINS, DOMAINS).nullish(),
    answer: z.array(z.string()).describe('Domains whose ads this publisher does not show, subdomains included'),
  },
  blockedCategories: {
    input: categories.nullish(),
    answer: z
      .array(z.string())
      .describe(
        'Categories of the IAB Content Taxonomy by name or id, with all below them, whose ads this publisher does not show',
      ),
  },
  billing: {
    input: z.enum(BILLINGS, 'billing must be burl or impression').nullish(),
    answer: z.enum(BILLINGS).describe('Which notice of an exchange charges the impression; the others are counted'),
  },
  turnSpacing: {
    input: whole('turnSpacing', 0, 1_000).nullish(),
    answer: z.int().min(0).describe('Least user turns from one ad of a conversation to the next; 0 asks for none'),
  },
  adsPerConversation: {
    input: whole('adsPerConversation', 1, 200).nullish(),
    answer: z.int().nullable().describe('Most ads of a conversation in 24 hours; null sets no bound'),
  },
  auction: {
    input: z.enum(PRICE_RULES, 'auction must be first or second').nullish(),
    answer: z
      .enum(PRICE_RULES)
      .describe('What a bid of the SSP API is paid: `first`, what was bid; `second`, what it took to win'),
  },
  sellerAgentUrl: {
    input: agentUrl.nullish(),
    answer: z
      .string()
      .nullable()
      .describe('The seller whose requests of Trusted Match this key makes, in canonical form; null: none has offers'),
  },
} satisfies Record<string, SettingField>;

type SettingFields = typeof settingFields;

/** The settings of a key, whole. */
export type KeySettings = { [F in keyof SettingFields]: z.output<SettingFields[F]['answer']> };

const settingNames = keysOf(settingFields);

/** What the table says of every setting in one of its columns. */
const column = <C extends keyof SettingField>(name: C) =>
  Object.fromEntries(settingNames.map((field) => [field, settingFields[field][name]])) as {
    [F in keyof SettingFields]: SettingFields[F][C];
  };

export const settingInputs = column('input');
export const settingResponses = column('answer');
