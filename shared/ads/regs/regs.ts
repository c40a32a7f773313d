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
