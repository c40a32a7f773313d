import type { Effects } from '../platform/effects.ts';
import { faultOfReceiver } from '../webhooks/url.ts';
import { invalid } from './errors.ts';

/** Refuses addresses that nothing may be delivered to. @throws ApiError 400 */
export async function checkReceiver(
  url: string,
  { config, resolve }: Pick<Effects, 'config' | 'resolve'>,
): Promise<void> {
  const fault = await faultOfReceiver(url, config.webhookAllowLocal, resolve);
  if (fault) throw invalid('management', [{ path: 'url', message: fault }]);
}
