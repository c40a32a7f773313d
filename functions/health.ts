import { createApp, toHonoPath } from '../shared/http/app.ts';
import type { Effects } from '../shared/platform/effects.ts';

/** Reports that the service is up (api 9). */
export default (effects: Effects) =>
  createApp('health', effects).get(toHonoPath('health'), (c) => c.json({ status: 'ok' }));
