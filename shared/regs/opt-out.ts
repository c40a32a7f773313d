/** What a request says of the law; null and absent both mean that it says nothing. */
export interface Regs {
  coppa?: 0 | 1 | null;
  gdpr?: 0 | 1 | null;
  gpp?: string | null;
  gpp_sid?: number[] | null;
  us_privacy?: string | null;
  consent?: string | null;
}

/** A string of the CCPA framework without an opt-out: version, notice, opt-out of sale, LSPA; `-` where it does not apply. */
const NO_OPT_OUT = /^1[YN-][N-][YN-]$/i;
/** In the core of a TCF 2 string: where the consents to purposes begin and how many there are, in bits of base64url. */
const PURPOSES_AT = 152;
const PURPOSES = 24;
const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** To store and access information (1), and to choose basic advertising (2). */
const NEEDED_PURPOSES = [1, 2];

/** Whether a reader has opted out, or has to be taken for one who has: what cannot be read counts as an opt-out. */
export function hasOptedOut({ gdpr, gpp, us_privacy, consent }: Regs): boolean {
  if (us_privacy && !NO_OPT_OUT.test(us_privacy)) return true;
  if (gdpr === 1 && !consent) return true;
  if (consent && gdpr !== 0 && !allows(consent)) return true;
  return Boolean(gpp);
}

/** Whether a TCF string consents to what is needed. */
function allows(consent: string): boolean {
  const [core = ''] = consent.split('.');
  const bits = [...core].map((digit) => BASE64URL.indexOf(digit));
  if (bits.includes(-1) || bits.length * 6 < PURPOSES_AT + PURPOSES || bits[0] !== 2) return false;
  const isSet = (bit: number) => ((bits[Math.floor(bit / 6)]! >> (5 - (bit % 6))) & 1) === 1;
  return NEEDED_PURPOSES.every((purpose) => isSet(PURPOSES_AT + purpose - 1));
}
