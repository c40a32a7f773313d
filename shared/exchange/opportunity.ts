import type { Opportunity } from '../bidding/auction.ts';
import type { Biddable } from '../campaigns/biddable.ts';
import { comparedCode } from '../matching/index.ts';
import type { Regs } from '../regs/regs.ts';
import { countryOfAlpha3 } from '../values/alpha3.ts';
import { type Micros, micros } from '../values/money.ts';
import type { NoBidReason, Outcome } from '../values/outcomes.ts';
import { domainFilter } from '../values/urls.ts';
import type { Categories } from './categories.ts';
import type { ExchangeBidRequest, Imp } from './schema.ts';

const USD = 'USD';
const isUsd = (currency: string): boolean => currency.toUpperCase() === USD;

/** An impression that an auction can be held for. */
export type NativeImp = Imp & { native: NonNullable<Imp['native']> };

/** Why no impression of a request can have a bid, whatever campaigns there are; null when one can. */
export function refusalOfRequest({ regs, cur, wseat }: ExchangeBidRequest): NoBidReason | null {
  if (regs?.coppa === 1) return 'coppa';
  if (cur && cur.length > 0 && !cur.some(isUsd)) return 'currency';
  return wseat && wseat.length > 0 ? 'blocked' : null;
}

export const isNative = (imp: Imp): imp is NativeImp => imp.native != null;

/** Why an impression can have none. */
export function refusalOfImp({ bidfloor, bidfloorcur, pmp }: Imp): NoBidReason | null {
  if (pmp?.private_auction === 1) return 'blocked';
  return bidfloor && bidfloorcur && !isUsd(bidfloorcur) ? 'currency' : null;
}

/** Upper case alpha-2; undefined where nobody says it, or it is none. */
export function countryOf({ device, user }: ExchangeBidRequest): string | undefined {
  const code = device?.geo?.country ?? user?.geo?.country;
  return code ? countryOfAlpha3(code) : undefined;
}

/** What the law asks for, wherever this version of OpenRTB or those before say it. */
export const regsOf = ({ regs, user }: ExchangeBidRequest): Regs => ({
  ...regs,
  gdpr: regs?.gdpr ?? regs?.ext?.gdpr,
  gpp: regs?.gpp ?? regs?.ext?.gpp,
  gpp_sid: regs?.gpp_sid ?? regs?.ext?.gpp_sid,
  us_privacy: regs?.us_privacy ?? regs?.ext?.us_privacy,
  consent: user?.consent ?? user?.ext?.consent,
});

/** The higher of the key's floor and the impression's, rounded up to whole micro-dollars. */
export const floorOf = ({ bidfloor }: Imp, ofKey: Micros): Micros => {
  // What a product of decimals is too much by is less than a thousandth of a micro-dollar.
  const asked = micros(Math.ceil((bidfloor ?? 0) * 1e6 - 0.001));
  return asked > ofKey ? asked : ofKey;
};

/** What a request keeps from its impressions: advertisers, categories, languages. */
export function exclusionsOf(
  { badv, bcat, cattax, wlang }: ExchangeBidRequest,
  categories: Categories,
): NonNullable<Opportunity['excludes']> {
  const isBlockedDomain = domainFilter(badv ?? []);
  const isBlockedCategory = categories.among(bcat ?? [], cattax ?? 1);
  const languages = (wlang ?? []).map((language) => comparedCode(language.toLowerCase()));
  return (campaign: Biddable): Outcome | null => {
    if (isBlockedDomain(campaign.domain) || isBlockedCategory(campaign)) return 'blocked';
    return languages.length === 0 || languages.some((language) => isIn(language, campaign)) ? null : 'language';
  };
}

/** The languages that a campaign is for, ISO 639-1; none where they cannot be told. */
export const languagesOfAd = ({ placement }: Biddable): string[] => placement.l.split(' ').filter(Boolean);
const isIn = (language: string, campaign: Biddable): boolean => languagesOfAd(campaign).includes(language);

/** The language of a campaign's ad, where it is one alone. */
export function adLanguage(campaign: Biddable): string | undefined {
  const [first, ...others] = languagesOfAd(campaign);
  return others.length === 0 ? first : undefined;
}
