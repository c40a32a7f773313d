import type { Result } from '../../packages/client/src/index.ts';

export type ActivityEntry = Result<'GET /api/v1/activity'>['entries'][number];
export type FieldChange = ActivityEntry['changes'][number];

/** What has activity, by the prefix of its id: its name, and where its page is. */
const KINDS: Readonly<Record<string, readonly [name: string, page: string]>> = {
  cmp: ['Campaign', '/campaigns'],
  key: ['API key', '/publisher'],
  wh: ['Webhook', '/webhooks'],
};

const kindOf = (subject: string) => KINDS[subject.split('_', 1)[0] ?? ''] ?? ['Other', ''];

export const nameKind = (subject: string): string => kindOf(subject)[0];

export const toPage = (subject: string): string => `${kindOf(subject)[1]}/${subject}`;
