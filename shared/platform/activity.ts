import { isDeepStrictEqual } from 'node:util';
import { DAY_MS, isoTime, ttlAt } from './clock.ts';
import type { Write } from './database.ts';
import type { Effects } from './effects.ts';
import { derivedId } from './ids.ts';

/** What happened to a campaign, a key, or a webhook. */
export const ACTIONS = ['created', 'updated', 'rotated', 'deleted'] as const;
type Action = (typeof ACTIONS)[number];

/** Why the service changed something by itself. */
export const SERVICE_REASONS = ['budget', 'daily_budget', 'new_day', 'end_date', 'failing_webhook'] as const;
type ServiceReason = (typeof SERVICE_REASONS)[number];

type Scalar = string | number | boolean | null;

/** A changed field: its values, or the difference of two lists. Amounts are in USD, because fields are named and valued as in the API. */
export type FieldChange =
  | { field: string; before: Scalar; after: Scalar }
  /** Both lists are empty if only the order changed. `omitted`: entries that did not fit. */
  | { field: string; added: string[]; removed: string[]; omitted?: number };

/** An entry of the activity of a user: who changed what and when. Contains no secret. */
interface Activity {
  owner: string;
  /** Derived from the record, its version, and the time, so that a repeated write stores the same entry. Sorts by time. */
  id: string;
  /** The id of the campaign, key, or webhook, and its name at that time. */
  subject: string;
  name: string;
  action: Action;
  /** Set if the service made the change. Otherwise the owner did. */
  reason?: ServiceReason;
  changes: FieldChange[];
  at: number;
  ttl: number;
}

declare module './items.ts' {
  interface Items {
    activity: Activity;
  }
}

/** How long an entry is kept. */
const KEPT_MS = 90 * DAY_MS;

/** A change to record. `version` distinguishes changes of the subject at the same time. */
type NewActivity = Omit<Activity, 'id' | 'ttl'> & { version: string | number };

/** The time of a change: later than that of the change before, so that entries of a subject are in order although clocks differ. */
export const laterThan = (before: number, now: number): number => Math.max(now, before + 1);

/** The write that records a change, for the change's own transaction. None if an update changes nothing. */
export function recordActivity({ version, changes, ...entry }: NewActivity): Write<'activity'>[] {
  const { subject, action, at } = entry;
  if (action === 'updated' && changes.length === 0) return [];
  const id = derivedId('activity', `${subject} ${version}`, at);
  return [{ table: 'activity', put: { ...entry, id, changes: fitChanges(changes), ttl: ttlAt(at + KEPT_MS) } }];
}

interface Page {
  /** Only entries of this campaign, key, or webhook. */
  subject?: string;
  /** Only entries before this one. */
  before?: string;
  limit: number;
}

/** Reads a page of a user's activity, newest first. New entries do not shift later pages, because a page continues at an id. */
export async function listActivity(
  { db, clock }: Pick<Effects, 'db' | 'clock'>,
  owner: string,
  { subject, before, limit }: Page,
): Promise<{ entries: Activity[]; next: string | null }> {
  const entries: Activity[] = [];
  const items = db.query({
    table: 'activity',
    ...(subject === undefined ? { consistent: true } : { index: 'bySubject' }),
    where: `${subject === undefined ? '#owner = :owner' : '#subject = :subject'}${before === undefined ? '' : ' AND #id < :before'}`,
    values: { ...(subject === undefined ? { owner } : { subject }), ...(before !== undefined && { before }) },
    newestFirst: true,
    limit: limit + 1,
  });
  for await (const entry of items) {
    // The subject may be another user's. The store deletes expired entries late, and all that follow are older.
    if (entry.owner !== owner || entry.at + KEPT_MS <= clock.now()) break;
    entries.push(entry);
  }
  const page = entries.slice(0, limit);
  return { entries: page, next: entries.length > limit ? (page.at(-1)?.id ?? null) : null };
}

/** An entry as its user sees it. */
export const presentActivity = ({ id, at, subject, name, action, owner, reason, changes }: Activity) => ({
  id,
  time: isoTime(at),
  subject,
  name,
  action,
  actor: reason ? ('service' as const) : ('user' as const),
  userId: reason ? null : owner,
  reason: reason ?? null,
  changes: changes.map(presentChange), // DynamoDB does not keep the order of fields
});

const presentChange = (change: FieldChange): FieldChange =>
  'added' in change
    ? {
        field: change.field,
        added: change.added,
        removed: change.removed,
        ...(change.omitted !== undefined && { omitted: change.omitted }),
      }
    : { field: change.field, before: change.before, after: change.after };

/** The fields in which two records differ. Fields of nested objects are named like `creative.headline`; an absent field is null. */
export function diffFields(before: object, after: object): FieldChange[] {
  const [old, now] = [new Map(flatten(before)), new Map(flatten(after))];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((field): FieldChange[] => {
    const [one, other] = [old.get(field) ?? null, now.get(field) ?? null];
    if (isDeepStrictEqual(one, other)) return [];
    if (!Array.isArray(one) && !Array.isArray(other)) return [{ field, before: one, after: other }];
    return [diffLists(field, toList(one), toList(other))];
  });
}

/** The fields of a new record that differ from the defaults. */
export const listFields = (defaults: object, created: object): FieldChange[] =>
  diffFields(defaults, created).map((change) => ('added' in change ? change : { ...change, before: null }));

function* flatten(fields: object, path = ''): Generator<[string, Scalar | string[]]> {
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) yield* flatten(value, `${path}${name}.`);
    else yield [path + name, value ?? null];
  }
}

const toList = (value: Scalar | string[]): string[] => (Array.isArray(value) ? value : []);

const diffLists = (field: string, before: string[], after: string[]): FieldChange => ({
  field,
  added: missingFrom(before, after),
  removed: missingFrom(after, before),
});

function missingFrom(list: readonly string[], texts: readonly string[]): string[] {
  const listed = new Set(list);
  return texts.filter((text) => !listed.has(text));
}

/** Maximum bytes of the changes of an entry, as JSON. */
const MAX_BYTES = 4_096;

const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/**
 * The largest part that fits if all longer parts are cut to it: each part gets an equal share of the room, and short ones leave theirs to
 * the others.
 */
function getShare(sizes: readonly number[], room: number): number {
  let left = room;
  for (const [at, size] of sizes.toSorted((a, b) => a - b).entries()) {
    const share = Math.floor(left / (sizes.length - at));
    if (size > share) return share;
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}

/** Cuts texts and lists so that the changes take at most `MAX_BYTES`. */
function fitChanges(changes: readonly FieldChange[]): FieldChange[] {
  const sizes = changes.map((change) => jsonBytes(change) + 1); // with a comma
  const share = getShare(sizes, MAX_BYTES - 1);
  return changes.map((change, at) => (sizes[at]! <= share ? change : fitChange(change, share - 1)));
}

function fitChange(change: FieldChange, maxBytes: number): FieldChange {
  if ('added' in change) {
    const { field, added, removed } = change;
    const room = maxBytes - jsonBytes({ field, added: [], removed: [], omitted: added.length + removed.length });
    const share = getShare([jsonBytes(added), jsonBytes(removed)], room);
    const [keptAdded, keptRemoved] = [takeFitting(added, share), takeFitting(removed, share)];
    const omitted = added.length + removed.length - keptAdded.length - keptRemoved.length;
    return { field, added: keptAdded, removed: keptRemoved, omitted };
  }
  const { field, before, after } = change;
  const share = getShare([jsonBytes(before), jsonBytes(after)], maxBytes - jsonBytes({ field, before: 0, after: 0 }));
  return { field, before: cutText(before, share), after: cutText(after, share) };
}

function takeFitting(texts: readonly string[], maxBytes: number): string[] {
  let left = maxBytes;
  return texts.filter((text) => {
    left -= jsonBytes(text) + 1;
    return left >= 0;
  });
}

/** Ends a text that is too long with an ellipsis. */
function cutText(value: Scalar, maxBytes: number): Scalar {
  if (typeof value !== 'string' || jsonBytes(value) <= maxBytes) return value;
  const ellipsis = '…';
  let left = maxBytes - jsonBytes(ellipsis);
  let kept = '';
  for (const character of value) {
    left -= jsonBytes(character) - 2; // without its quotation marks
    if (left < 0) break;
    kept += character;
  }
  return kept + ellipsis;
}
