import { createApp, toHonoPath } from '../../shared/http/app.ts';
import type { Effects } from '../../shared/platform/effects.ts';

/** Reports readiness at the path that Trusted Match routers poll (api 11.3). */
export default (effects: Effects) =>
  createApp('trusted-match/health', effects).get(toHonoPath('trusted-match/health'), (c) => c.json({ status: 'ok' }));
