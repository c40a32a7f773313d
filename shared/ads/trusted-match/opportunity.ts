import type { Biddable } from '../../campaigns/biddable.ts';
import type { KeySettings } from '../../keys/setting-fields.ts';
import { canonicalLanguage } from '../../matching/index.ts';
import { isCountry } from '../../platform/values/countries.ts';
import type { NoBidReason, Outcome } from '../../platform/values/outcomes.ts';
import { isSensitiveTopic } from '../../platform/values/sensitive-topics.ts';
import { isInOtherLanguage } from '../openrtb/opportunity.ts';
import { getTaxonomyEdition } from './context.ts';
import type { ContextMatchRequest } from './context-schema.ts';

/** Policy in AdCP's registry for children's content. */
const FOR_CHILDREN = 'us_coppa_data_collection';

/** Why a request can have no offer, whichever campaigns exist; null if it can. */
export function getMatchRefusal(
  { property_type, seller_agent_url, context_signals: signals = {} }: ContextMatchRequest,
  { sellerAgentUrl }: Pick<KeySettings, 'sellerAgentUrl'>,
): NoBidReason | null {
  if (seller_agent_url !== sellerAgentUrl) return 'blocked';
  if (property_type !== 'ai_assistant') return 'format';
  if (signals.content_policies?.includes(FOR_CHILDREN)) return 'coppa';
  const isSensitive = getTaxonomyEdition(signals) !== undefined && (signals.topics ?? []).some(isSensitiveTopic);
  return isSensitive ? 'sensitive_context' : null;
}

/** Creates the exclusions of a request: packages not listed in it, and ads known to be in another language. */
export function createMatchExclusions({
  package_ids,
  context_signals: { language } = {},
}: ContextMatchRequest): (campaign: Biddable) => Outcome | null {
  const allowedIds = package_ids && new Set(package_ids);
  const wanted = language && canonicalLanguage(language);
  return (campaign) => {
    if (allowedIds && !allowedIds.has(campaign.id)) return 'blocked';
    return isInOtherLanguage(wanted, campaign) ? 'language' : null;
  };
}

/** The country, upper-case alpha-2; undefined if it is absent or unassigned. */
export const getMatchCountry = ({ geo }: ContextMatchRequest): string | undefined =>
  geo?.country && isCountry(geo.country) ? geo.country : undefined;
