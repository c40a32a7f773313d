import { optsOutOfSale, type Regs } from './regs.ts';

/**
 * Whether a reader has opted out, or has to be taken for one who has: what cannot be read, and a law that holds without a string
 * for it, count as opt-outs. What reads the strings of TCF and GPP is loaded with the first of them.
 */
export async function hasOptedOut(regs: Regs): Promise<boolean> {
  const { gdpr, gpp, gpp_sid, us_privacy, consent, gpc } = regs;
  if (Number(gpc) === 1 || (us_privacy && optsOutOfSale(us_privacy))) return true;
  if (!gpp && !consent) return gdpr === 1 || (gpp_sid ?? []).some((id) => id > 0);
  const { doStringsOptOut } = await import('./strings.ts');
  return doStringsOptOut(regs);
}
