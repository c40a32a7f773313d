import { counted, formatCount } from '../format.ts';
import { Time } from '../parts/time.tsx';
import { type ActivityEntry, type FieldChange, nameKind, toPage } from './data.ts';
import { describeAction, nameField, nameItem, selectShown, showValue } from './words.tsx';

/** More changes than this are shown when asked for. */
const MAX_CHANGES = 6;
/** More characters than this in lists, such as the keywords of a new campaign, as well. */
const MAX_CHARACTERS = 600;
/** The first items of a long list say what it is about. */
const MAX_ITEMS = 30;

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'full' });
const dayOf = ({ time }: ActivityEntry): string => day.format(new Date(time));

interface ActivityListProps {
  entries: readonly ActivityEntry[];
  /** Whether all entries are of what the page is about, which is then not named. */
  isOfPage?: boolean;
}

/** Changes by day, in the visitor's time zone like the times. */
export function ActivityList({ entries, isOfPage = false }: ActivityListProps) {
  const deleted = new Set(entries.filter(({ action }) => action === 'deleted').map(({ subject }) => subject));
  return (
    <div class="activity">
      {[...Map.groupBy(entries, dayOf)].map(([name, ofDay]) => (
        <section key={name} aria-label={name}>
          <h3>{name}</h3>
          <ul>
            {ofDay.map((entry) => (
              <Entry key={entry.id} entry={entry} isOfPage={isOfPage} isDeleted={deleted.has(entry.subject)} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

interface EntryProps {
  entry: ActivityEntry;
  isOfPage: boolean;
  /** Whether its subject was deleted, now or later. */
  isDeleted: boolean;
}

const Entry = ({ entry, isOfPage, isDeleted }: EntryProps) => (
  <li>
    <div class="row">
      {isOfPage ? (
        <span>{describeAction(entry)}</span>
      ) : (
        <span>
          <Subject entry={entry} isDeleted={isDeleted} />{' '}
          <small>
            {nameKind(entry.subject)} · {describeAction(entry)}
          </small>
        </span>
      )}
      <Time at={entry.time} isTimeOnly />
    </div>
    <Changes entry={entry} />
  </li>
);

/** What is deleted has no page. */
const Subject = ({ entry: { subject, name }, isDeleted }: Pick<EntryProps, 'entry' | 'isDeleted'>) =>
  isDeleted ? (
    <bdi class="strong">{name}</bdi>
  ) : (
    <a class="strong" dir="auto" href={toPage(subject)}>
      {name}
    </a>
  );

function Changes({ entry }: { entry: ActivityEntry }) {
  const shown = selectShown(entry);
  if (shown.length === 0) return null;
  const list = (
    <ul class="changes">
      {shown.map((change) => (
        <li key={change.field}>
          <Change of={change} />
        </li>
      ))}
    </ul>
  );
  const isShort = shown.length <= MAX_CHANGES && JSON.stringify(shown).length <= MAX_CHARACTERS;
  return isShort && entry.action !== 'created' ? (
    list
  ) : (
    <details>
      <summary>{counted(shown.length, entry.action === 'created' ? 'setting' : 'change')}</summary>
      {list}
    </details>
  );
}

function Change({ of: change }: { of: FieldChange }) {
  const { field, before, after, added, removed, omitted = 0 } = change;
  const name = <span class="quiet">{nameField(field)}: </span>;
  if (added || removed) {
    const isReordered = !added?.length && !removed?.length && omitted === 0;
    return (
      <>
        {name}
        {isReordered && 'order changed'}
        <Items field={field} deed="added" items={added} />
        {added?.length && removed?.length ? '; ' : ''}
        <Items field={field} deed="removed" items={removed} />
        {omitted > 0 && ` and ${formatCount(omitted)} more`}
      </>
    );
  }
  return (
    <>
      {name}
      {before !== null && before !== undefined && (
        <>
          <bdi>{showValue(field, before)}</bdi> <span aria-hidden="true">→</span>
          <span class="unseen">to</span>{' '}
        </>
      )}
      <bdi>{showValue(field, after)}</bdi>
    </>
  );
}

interface ItemsProps {
  field: string;
  deed: 'added' | 'removed';
  items: readonly string[] | undefined;
}

const Items = ({ field, deed, items = [] }: ItemsProps) =>
  items.length === 0 ? null : (
    <>
      {deed}{' '}
      <bdi>
        {items
          .slice(0, MAX_ITEMS)
          .map((item) => nameItem(field, item))
          .join(', ')}
      </bdi>
      {items.length > MAX_ITEMS && ` and ${formatCount(items.length - MAX_ITEMS)} more`}
    </>
  );
