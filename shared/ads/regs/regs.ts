/** What a request says of the law; null and absent both mean that it says nothing. */
export interface Regs {
  coppa?: 0 | 1 | null;
  gdpr?: 0 | 1 | null;
  gpp?: string | null;
  gpp_sid?: number[] | null;
  us_privacy?: string | null;
  gpc?: 0 | 1 | '0' | '1' | '' | null;
  consent?: string | null;
}

/** A string of the CCPA framework without an opt-out: version, notice, opt-out of sale, LSPA; `-` where it does not apply. */
const NO_OPT_OUT = /^1[YN-][N-][YN-]$/i;

/** Whether a string of the CCPA framework opts out of sale; one that cannot be read does. */
export const optsOutOfSale = (text: string): boolean => !NO_OPT_OUT.test(text);
