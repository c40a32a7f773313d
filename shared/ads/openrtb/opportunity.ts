import type { Biddable } from '../../campaigns/biddable.ts';
import { canonicalLanguage } from '../../matching/index.ts';
import { countryOfAlpha3 } from '../../platform/values/countries.ts';
import { type Micros, micros } from '../../platform/values/money.ts';
import type { NoBidReason, Outcome } from '../../platform/values/outcomes.ts';
import type { Opportunity } from '../auction/auction.ts';
import { hasOptedOut } from '../regs/opt-out.ts';
import type { Regs } from '../regs/regs.ts';
import { createAdvertiserFilter, findUnclearAdvertisers } from './advertisers.ts';
import type { Categories } from './categories.ts';
import { isSensitivePlace } from './context.ts';
import type { ExchangeBidRequest, Imp } from './openrtb-schema.ts';

const USD = 'USD';
const isUsd = (currency: string): boolean => currency.toUpperCase() === USD;

/** An impression that an auction can be held for. */
export type NativeImp = Imp & { native: NonNullable<Imp['native']> };

/** Why no impression of a request can have a bid, whatever campaigns there are; null when one can. */
export function getRequestRefusal(request: ExchangeBidRequest): NoBidReason | null {
  const { regs, cur, wseat } = request;
  if (regs?.coppa === 1 || regs?.ext?.coppa === 1) return 'coppa';
  if (isSensitivePlace(request)) return 'sensitive_context';
  if (cur && cur.length > 0 && !cur.some(isUsd)) return 'currency';
  return wseat && wseat.length > 0 ? 'blocked' : null;
}

export const isNative = (imp: Imp): imp is NativeImp => imp.native != null;

/** Why an impression can have none. */
export function getImpRefusal({ bidfloorcur, pmp }: Imp): NoBidReason | null {
  if (pmp?.private_auction === 1) return 'blocked';
  return bidfloorcur && !isUsd(bidfloorcur) ? 'currency' : null;
}

/** Upper case alpha-2; undefined where nobody says it, or it is none. */
export function getCountry({ device, user }: ExchangeBidRequest): string | undefined {
  const code = device?.geo?.country ?? user?.geo?.country;
  return code ? countryOfAlpha3(code) : undefined;
}

/**
 * What the law asks for, as this version of OpenRTB says it and as those before did. What one place leaves out or empty the other fills; where
 * they disagree either may opt out.
 */
function regsOf({ regs, user }: ExchangeBidRequest): Regs[] {
  const stated = [
    { ...regs, consent: user?.consent },
    { ...regs?.ext, consent: user?.ext?.consent },
  ];
  const gdpr = stated.some((one) => one.gdpr === 1) ? 1 : (regs?.gdpr ?? regs?.ext?.gdpr);
  const filled = ([first, other]: Regs[]): Regs => ({
    gdpr,
    gpp: first?.gpp || other?.gpp,
    gpp_sid: first?.gpp_sid?.length ? first.gpp_sid : other?.gpp_sid,
    us_privacy: first?.us_privacy || other?.us_privacy,
    consent: first?.consent || other?.consent,
    gpc: first?.gpc ?? other?.gpc,
  });
  return [filled(stated), ...(regs?.ext || user?.ext ? [filled(stated.toReversed())] : [])];
}

/** Whether the reader of a request has opted out, wherever it says so. */
export const hasUserOptedOut = async (request: ExchangeBidRequest): Promise<boolean> =>
  (await Promise.all(regsOf(request).map(hasOptedOut))).includes(true);

/** The higher of the key's floor and the impression's, rounded up to whole micro-dollars. */
export const getFloor = ({ bidfloor }: Imp, ofKey: Micros): Micros => {
  // What a product of decimals is too much by is less than a thousandth of a micro-dollar.
  const asked = micros(Math.ceil((bidfloor ?? 0) * 1e6 - 0.001));
  return asked > ofKey ? asked : ofKey;
};

/** The categories that an entry of `bcat` or `acat` names: one, or against the rules several. */
const idsIn = (entry: string): string[] => entry.split(/[\s,;]+/u).filter(Boolean);
const idsOf = (entries: readonly string[] | null | undefined): string[] => [...new Set((entries ?? []).flatMap(idsIn))];

/** The language of an entry of `wlang`, which may say a region too: `en-US`. */
const languageIn = (entry: string): string => canonicalLanguage(entry.trim().toLowerCase().split(/[-_]/u, 1)[0]!);

/** What a request keeps from its impressions: advertisers, categories, languages. Of `bcat` and `acat` there should be one; both hold. */
export function createExclusions(
  { badv, acat, bcat, cattax, wlang }: ExchangeBidRequest,
  categories: Categories,
): NonNullable<Opportunity['getExclusion']> {
  const isBlockedDomain = createAdvertiserFilter(badv ?? []);
  const isBlockedCategory = categories.among(idsOf(bcat), cattax ?? 1);
  const isAllowedCategory = acat?.length ? categories.only(idsOf(acat), cattax ?? 1) : () => true;
  const languages = (wlang ?? []).filter((entry) => entry.trim()).map(languageIn);
  return (campaign: Biddable): Outcome | null => {
    if (isBlockedDomain(campaign.domain) || isBlockedCategory(campaign) || !isAllowedCategory(campaign))
      return 'blocked';
    return languages.length === 0 || languages.some((language) => isIn(language, campaign)) ? null : 'language';
  };
}

/** Entries of lists that are told. */
const MOST_TOLD = 20;

/** Where a request names advertisers or categories that cannot be read as such, and keep out more than they may mean. */
export function findUnclearBlocks({ badv, acat, bcat, cattax }: ExchangeBidRequest, categories: Categories): string[] {
  const isKnown = (entry: string) => idsIn(entry).every((id) => categories.knows(id, cattax ?? 1));
  const unknownIn = (name: string, entries: readonly string[] | null | undefined) =>
    (entries ?? []).flatMap((entry, index) => (isKnown(entry) ? [] : `${name}.${index}`));
  const advertisers = findUnclearAdvertisers(badv ?? []).map((index) => `badv.${index}`);
  return [...advertisers, ...unknownIn('bcat', bcat), ...unknownIn('acat', acat)].slice(0, MOST_TOLD);
}

/** The language that a page says it is in, ISO 639-1; undefined where it says none, or nothing that is one. */
export function getPageLanguage({ site, app }: ExchangeBidRequest): string | undefined {
  const { language, langb } = site?.content ?? app?.content ?? {};
  const code = languageIn(language || langb || '');
  return /^[a-z]{2}$/.test(code) ? code : undefined;
}

/** Whether an ad is known to be in another language than the one asked for, if one is. */
export const isInOtherLanguage = (language: string | undefined, campaign: Biddable): boolean =>
  language !== undefined && languagesOfAd(campaign).length > 0 && !isIn(language, campaign);

/** The languages that a campaign is for, ISO 639-1; none where they cannot be told. */
const languagesOfAd = ({ profile }: Biddable): string[] => profile.l.split(' ').filter(Boolean);
const isIn = (language: string, campaign: Biddable): boolean => languagesOfAd(campaign).includes(language);

/** The language of a campaign's ad, where it is one alone. */
export function getAdLanguage(campaign: Biddable): string | undefined {
  const [first, ...others] = languagesOfAd(campaign);
  return others.length === 0 ? first : undefined;
}
