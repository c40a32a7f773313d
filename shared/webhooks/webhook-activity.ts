import { diffFields, type FieldChange, listFields, recordActivity } from '../platform/activity.ts';
import type { Write } from '../platform/database.ts';
import type { Webhook } from './webhook.ts';

const describe = ({ url, events, description, status }: Webhook) => ({ url, events, description, status });

/** Only the host of a URL, because many receivers put a secret into the path or the query. */
const getHost = (url: string): string => new URL(url).host;

export const listWebhookFields = (created: Webhook): FieldChange[] =>
  listFields({ description: '', status: 'active' }, { ...describe(created), url: getHost(created.url) });

/** The fields in which two webhooks differ. A change within the path of the URL shows the same host twice. */
export const diffWebhooks = (before: Webhook, after: Webhook): FieldChange[] =>
  diffFields(describe(before), describe(after)).map((change) =>
    change.field === 'url' ? { field: 'url', before: getHost(before.url), after: getHost(after.url) } : change,
  );

/** The write that records a change of a webhook. The time of a change is later than that of the change before, so it identifies the change. */
export const recordWebhook = (
  { owner, id: subject, url }: Webhook,
  action: 'created' | 'updated' | 'rotated' | 'deleted',
  changes: FieldChange[],
  at: number,
): Write<'activity'>[] => recordActivity({ owner, subject, name: getHost(url), action, changes, version: action, at });

/** The write that records that the service disabled a webhook. */
export const recordDisabled = (webhook: Webhook, at: number): Write<'activity'>[] => {
  const { owner, id: subject, url, status } = webhook;
  const changes = diffFields({ status }, { status: 'disabled' });
  const reason = 'failing_webhook';
  return recordActivity({
    owner,
    subject,
    name: getHost(url),
    action: 'updated',
    reason,
    changes,
    version: reason,
    at,
  });
};
