/** Privacy signals of a request. Null means the same as absent. */
export interface Regs {
  coppa?: 0 | 1 | null;
  gdpr?: 0 | 1 | null;
  gpp?: string | null;
  gpp_sid?: number[] | null;
  us_privacy?: string | null;
  gpc?: 0 | 1 | '0' | '1' | '' | null;
  consent?: string | null;
}

/** US Privacy string without an opt-out: version, notice, opt-out of sale, LSPA; `-` means that the field does not apply. */
const NO_OPT_OUT = /^1[YN-][N-][YN-]$/i;

/** Whether a US Privacy string opts out of sale. An unreadable string counts as an opt-out. */
export const optsOutOfSale = (text: string): boolean => !NO_OPT_OUT.test(text);
