import click from '../../functions/click/redirect.ts';
import health from '../../functions/health.ts';
import legacyClick from '../../functions/legacy/click.ts';
import legacyImpression from '../../functions/legacy/impression.ts';
import ad from '../../functions/ssp/ad.ts';
import trustedMatchClick from '../../functions/trusted-match/click.ts';
import type { WorkerOperations } from '../../shared/http/runtimes/worker.ts';

/** Operations that the Worker serves itself (docs/edge.md): those that a browser or an assistant waits for, and health. */
export const operations = {
  'click/redirect': click,
  'trusted-match/click': trustedMatchClick,
  'ssp/ad': ad,
  'legacy/click': legacyClick,
  'legacy/impression': legacyImpression,
  health,
} satisfies WorkerOperations;
