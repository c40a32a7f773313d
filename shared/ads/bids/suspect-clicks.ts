import { createHmac } from 'node:crypto';
import { MINUTE_MS } from '../../platform/clock.ts';
import type { Effects } from '../../platform/effects.ts';
import { createSecretReader } from '../../platform/service-secret.ts';
import { type Clicked, isOptedOut, isServed } from './bid.ts';

/** A click this soon after its ad is suspect: no reader can have read it. */
const TOO_FAST_MS = 300;

/** 96 bits. */
const CLICKER_DIGITS = 16;

/** Nothing is suspect after an opt-out, nor if a publisher reported the click, because its address and time may be those of a server. */
const isJudged = ({ id, click }: Clicked): boolean => !isOptedOut(id) && !click.reported;

/** Whether a click follows its ad too fast. @param bid as the click left it; an impression that is reported later does not count */
export const isTooFast = (bid: Clicked): boolean =>
  isJudged(bid) && isServed(bid) && bid.click.at - bid.servedAt <= TOO_FAST_MS;

/** Returns a function that names those whose clicks on a campaign are counted together: everyone behind a truncated address, in one minute. */
export function createClickerNames(effects: Pick<Effects, 'db' | 'ids'>) {
  const readSecret = createSecretReader(effects);

  /**
   * @returns undefined for a click that counts as no one's: one without an address, and one that is already suspect
   */
  return async (bid: Clicked): Promise<string | undefined> => {
    const { at, ip } = bid.click;
    if (!isJudged(bid) || !ip || isTooFast(bid)) return undefined;
    // No user ID begins with a control character, so this hash never equals that of a conversation under the same secret.
    return createHmac('sha256', await readSecret())
      .update(`\x01clicker\n${bid.campaignId}\n${Math.floor(at / MINUTE_MS)}\n${ip}`)
      .digest('base64url')
      .slice(0, CLICKER_DIGITS);
  };
}
