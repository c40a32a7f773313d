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

/** An impression with a native ad request. Only these get an auction. */
export type NativeImp = Imp & { native: NonNullable<Imp['native']> };

/** Why a request can have no bid at all, whichever campaigns exist; null if it can. */
export function getRequestRefusal(request: ExchangeBidRequest): NoBidReason | null {
  const { regs, cur, wseat } = request;
  if (regs?.coppa === 1 || regs?.ext?.coppa === 1) return 'coppa';
  if (isSensitivePlace(request)) return 'sensitive_context';
  if (cur && cur.length > 0 && !cur.some(isUsd)) return 'currency';
  return wseat && wseat.length > 0 ? 'blocked' : null;
}

export const isNative = (imp: Imp): imp is NativeImp => imp.native != null;

/** Why an impression can have no bid; null if it can. */
export function getImpRefusal({ bidfloorcur, pmp }: Imp): NoBidReason | null {
  if (pmp?.private_auction === 1) return 'blocked';
  return bidfloorcur && !isUsd(bidfloorcur) ? 'currency' : null;
}

/** The country, upper-case alpha-2; undefined if it is absent or invalid. */
export function getCountry({ device, user }: ExchangeBidRequest): string | undefined {
  const code = device?.geo?.country ?? user?.geo?.country;
  return code ? countryOfAlpha3(code) : undefined;
}

/**
 * Privacy signals, from the fields of OpenRTB 2.6 and of earlier versions. Each location fills in what the other lacks. If they disagree,
 * both variants are returned, and either can opt out.
 */
function getRegs({ regs, user }: ExchangeBidRequest): Regs[] {
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

/** Whether the user has opted out, in any of the fields. */
export const hasUserOptedOut = async (request: ExchangeBidRequest): Promise<boolean> =>
  (await Promise.all(getRegs(request).map(hasOptedOut))).includes(true);

/** The higher of the key's floor and the impression's, rounded up to whole micro-dollars. */
export const getFloor = ({ bidfloor }: Imp, keyFloor: Micros): Micros => {
  // The rounding error of the product is below a thousandth of a micro-dollar.
  const impFloor = micros(Math.ceil((bidfloor ?? 0) * 1e6 - 0.001));
  return impFloor > keyFloor ? impFloor : keyFloor;
};

/** Category IDs in an entry of `bcat` or `acat`: one, or several, which violates the specification. */
const splitIds = (entry: string): string[] => entry.split(/[\s,;]+/u).filter(Boolean);
const getIds = (entries: readonly string[] | null | undefined): string[] => [
  ...new Set((entries ?? []).flatMap(splitIds)),
];

/** The language of an entry of `wlang`, which may have a region: `en-US`. */
const parseLanguage = (entry: string): string => canonicalLanguage(entry.trim().toLowerCase().split(/[-_]/u, 1)[0]!);

/** Creates the exclusions of a request: advertisers, categories, languages. If it has both `bcat` and `acat`, both apply. */
export function createExclusions(
  { badv, acat, bcat, cattax, wlang }: ExchangeBidRequest,
  categories: Categories,
): NonNullable<Opportunity['getExclusion']> {
  const isBlockedDomain = createAdvertiserFilter(badv ?? []);
  const isBlockedCategory = categories.among(getIds(bcat), cattax ?? 1);
  const isAllowedCategory = acat?.length ? categories.only(getIds(acat), cattax ?? 1) : () => true;
  const languages = (wlang ?? []).filter((entry) => entry.trim()).map(parseLanguage);
  return (campaign: Biddable): Outcome | null => {
    if (isBlockedDomain(campaign.domain) || isBlockedCategory(campaign) || !isAllowedCategory(campaign))
      return 'blocked';
    return languages.length === 0 || languages.some((language) => isIn(language, campaign)) ? null : 'language';
  };
}

/** Maximum number of unclear entries in a report. */
const MAX_REPORTED = 20;

/** Paths of unclear advertiser or category blocks, which may exclude more than the exchange intends. */
export function findUnclearBlocks({ badv, acat, bcat, cattax }: ExchangeBidRequest, categories: Categories): string[] {
  const isKnown = (entry: string) => splitIds(entry).every((id) => categories.knows(id, cattax ?? 1));
  const unknownIn = (name: string, entries: readonly string[] | null | undefined) =>
    (entries ?? []).flatMap((entry, index) => (isKnown(entry) ? [] : `${name}.${index}`));
  const advertisers = findUnclearAdvertisers(badv ?? []).map((index) => `badv.${index}`);
  return [...advertisers, ...unknownIn('bcat', bcat), ...unknownIn('acat', acat)].slice(0, MAX_REPORTED);
}

/** Language of the page, ISO 639-1; undefined if it is absent or invalid. */
export function getPageLanguage({ site, app }: ExchangeBidRequest): string | undefined {
  const { language, langb } = site?.content ?? app?.content ?? {};
  const code = parseLanguage(language || langb || '');
  return /^[a-z]{2}$/.test(code) ? code : undefined;
}

/** Whether an ad is known to be in another language. False if either language is unknown. */
export const isInOtherLanguage = (language: string | undefined, campaign: Biddable): boolean =>
  language !== undefined && getAdLanguages(campaign).length > 0 && !isIn(language, campaign);

/** Languages of a campaign, ISO 639-1; empty if unknown. */
const getAdLanguages = ({ profile }: Biddable): string[] => profile.l.split(' ').filter(Boolean);
const isIn = (language: string, campaign: Biddable): boolean => getAdLanguages(campaign).includes(language);

/** The language of a campaign's ad; undefined if there are several. */
export function getAdLanguage(campaign: Biddable): string | undefined {
  const [first, ...others] = getAdLanguages(campaign);
  return others.length === 0 ? first : undefined;
}
