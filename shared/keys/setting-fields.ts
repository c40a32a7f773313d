import * as z from 'zod';
import { AD_STRICTNESS } from '../platform/values/ad-strictness.ts';
import { createCategoryPaths } from '../platform/values/category-paths.ts';
import { HIDDEN, isBlank } from '../platform/values/characters.ts';
import { getKeys } from '../platform/values/typed.ts';
import { canonicalAgentUrl } from '../platform/values/urls.ts';
import { domain, grouped, listSchema, unicode } from '../platform/values/value-schema.ts';
import { looksLikePseudonym } from './publisher-id.ts';

/** One setting of a key: the schema of its input (null restores the default) and of its value in responses. */
interface SettingField {
  input: z.ZodType;
  answer: z.ZodType;
}

/** The exchange notices that can charge an impression. */
const BILLINGS = ['burl', 'impression'] as const;
export type Billing = (typeof BILLINGS)[number];

/** Auction types: what the winner pays. */
const PRICE_RULES = ['first', 'second'] as const;

const whole = (name: string, least: number, most: number) => {
  const message = `${name} must be a whole number from ${least} to ${grouped(most)}`;
  return z.int(message).min(least, message).max(most, message);
};

const MAX_DOMAINS = 500;
const DOMAINS = `blockedDomains must be a list of at most ${MAX_DOMAINS} domains`;

/** Rejects unknown categories, because they would block nothing. Loads the category table on first use. */
const categories = listSchema('blockedCategories', 50).superRefine((names, { addIssue }) => {
  const getPaths = createCategoryPaths();
  const unknown = names.filter((name) => getPaths(name).length === 0);
  if (unknown.length === 0) return;
  const message = `blockedCategories must contain only names or ids of the IAB Content Taxonomy; unknown: ${unknown.join(', ')}`;
  addIssue({ code: 'custom', message });
});

const AGENT_URL =
  'sellerAgentUrl must be an https URL of at most 2,048 characters, such as https://assistant.example/agent';

/** Stored in canonical form, for comparison. Requires https: a plain http URL does not prove who the seller is. */
const agentUrl = unicode(AGENT_URL)
  .max(2_048, AGENT_URL)
  .transform((url) => canonicalAgentUrl(url) ?? '')
  .refine((url) => url.startsWith('https://'), AGENT_URL);

/** Labels of the rows of a report that are no publisher. */
const REPORT_WORDS = /^(other|unattributed|unknown|none)$/i;

const PUBLIC_NAME = 'publicName must be text of 1 to 60 visible characters';
const publicName = unicode(PUBLIC_NAME)
  .trim()
  .min(1, PUBLIC_NAME)
  .max(60, PUBLIC_NAME)
  .refine((name) => !isBlank(name) && !HIDDEN.test(name), PUBLIC_NAME)
  .refine((name) => !looksLikePseudonym(name), 'publicName must not look like the pseudonym of a publisher')
  .refine((name) => !REPORT_WORDS.test(name), 'publicName must not be a word that reports use themselves');

/**
 * The settings of a key. Request bodies, responses, the stored item, and the bidding settings derive from this table; defaults are in
 * `defaultSettings`. Settings can be long, so they have an item of their own: the key's item is written by every request.
 */
const settingFields = {
  blockedDomains: {
    input: z.array(domain('blockedDomains'), DOMAINS).max(MAX_DOMAINS, DOMAINS).nullish(),
    answer: z.array(z.string()).describe('Domains whose ads the publisher blocks, including subdomains'),
  },
  blockedCategories: {
    input: categories.nullish(),
    answer: z
      .array(z.string())
      .describe(
        'IAB Content Taxonomy categories, by name or id, whose ads the publisher blocks, including their subcategories',
      ),
  },
  billing: {
    input: z.enum(BILLINGS, 'billing must be burl or impression').nullish(),
    answer: z
      .enum(BILLINGS)
      .describe('The exchange notice that charges an impression; the other notices are only counted'),
  },
  turnSpacing: {
    input: whole('turnSpacing', 0, 1_000).nullish(),
    answer: z.int().min(0).describe('Minimum number of user turns between two ads of a conversation; 0 for no minimum'),
  },
  adsPerConversation: {
    input: whole('adsPerConversation', 1, 200).nullish(),
    answer: z.int().nullable().describe('Maximum number of ads per conversation in 24 hours; null for no maximum'),
  },
  adStrictness: {
    input: z.enum(AD_STRICTNESS, 'adStrictness must be strict, balanced, or open').nullish(),
    answer: z
      .enum(AD_STRICTNESS)
      .describe(
        'How sure the service must be that an ad fits: `strict`, a wrong ad costs twice what a right one gains; `balanced`, as much; `open`, half',
      ),
  },
  auction: {
    input: z.enum(PRICE_RULES, 'auction must be first or second').nullish(),
    answer: z
      .enum(PRICE_RULES)
      .describe('Price of a bid in the SSP API: `first`, the bid itself; `second`, the lowest price that wins'),
  },
  sellerAgentUrl: {
    input: agentUrl.nullish(),
    answer: z
      .string()
      .nullable()
      .describe('The seller allowed to send Trusted Match requests with this key, in canonical form; null: no offers'),
  },
  publicName: {
    input: publicName.nullish(),
    answer: z
      .string()
      .nullable()
      .describe('Name that advertisers see in their reports; null: a pseudonym that differs for each advertiser'),
  },
} satisfies Record<string, SettingField>;

type SettingFields = typeof settingFields;

/** The settings of a key, with all fields. */
export type KeySettings = { [F in keyof SettingFields]: z.output<SettingFields[F]['answer']> };

const settingNames = getKeys(settingFields);

/** One column of the table, by setting. */
const column = <C extends keyof SettingField>(name: C) =>
  Object.fromEntries(settingNames.map((field) => [field, settingFields[field][name]])) as {
    [F in keyof SettingFields]: SettingFields[F][C];
  };

export const settingInputs = column('input');
export const settingResponses = column('answer');
