import { optsOutOfSale, type Regs } from './regs.ts';

/**
 * Whether the user has opted out. Fails closed: an unreadable string counts as an opt-out, and so does a missing string if its law applies.
 * Loads the TCF and GPP libraries only when a request has such a string.
 */
export async function hasOptedOut(regs: Regs): Promise<boolean> {
  const { gdpr, gpp, gpp_sid, us_privacy, consent, gpc } = regs;
  if (Number(gpc) === 1 || (us_privacy && optsOutOfSale(us_privacy))) return true;
  if (!gpp && !consent) return gdpr === 1 || (gpp_sid ?? []).some((id) => id > 0);
  const { doStringsOptOut } = await import('./strings.ts');
  return doStringsOptOut(regs);
}
