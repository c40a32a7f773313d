import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { useLive } from '../parts/live.ts';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useSession } from '../session.ts';
import { ActivityList } from './activity-list.tsx';
import { type ActivityEntry, nameKind } from './data.ts';

interface View {
  subject: string;
  before: string;
}

function toAddress(view: Partial<View>): string {
  const query = new URLSearchParams(Object.entries(view).filter(([, value]) => value !== '')).toString();
  return query === '' ? '/activity' : `/activity?${query}`;
}

/** A page of activity. Older pages do not change, so they are loaded once. */
function useActivity({ subject, before }: View) {
  const { ads } = useSession();
  const about = `${subject} ${before}`;
  const query = { ...(subject && { subject }), ...(before && { before }) };
  const load = async () => ({ ...(await ads('GET /api/v1/activity', { query })), about });
  const { value, problem } = useLive(load, [ads, about], before ? null : 10_000);
  return { page: value?.about === about ? value : null, problem };
}

/** What changed in the account, newest first. */
export default function ActivityPage() {
  const { query, route } = useLocation();
  const { subject = '', before = '' } = query;
  const { page, problem } = useActivity({ subject, before });
  const subjects = useSubjects(page?.entries ?? []);
  return (
    <Page title="Activity">
      <Problem text={problem} />
      {(subject !== '' || subjects.size > 1) && (
        <div class="tools filter">
          <SubjectSelect
            subjects={subjects}
            value={subject}
            onChange={(chosen) => route(toAddress({ subject: chosen }), true)}
          />
          {subject !== '' && (
            <a class="button" href="/activity">
              Show all
            </a>
          )}
        </div>
      )}
      {!page && !problem && <Skeleton of="activity" as="rows" lines={8} />}
      {page?.entries.length === 0 && <Nothing view={{ subject, before }} />}
      {page && page.entries.length > 0 && (
        <section class="card" aria-label="Changes">
          <h2 class="unseen">Changes</h2>
          <ActivityList entries={page.entries} />
        </section>
      )}
      {page && (page.next || before) && (
        <nav class="pager" aria-label="Pages">
          {before && (
            <a class="button" href={toAddress({ subject })}>
              Newest
            </a>
          )}
          {page.next && (
            <a class="button" href={toAddress({ subject, before: page.next })}>
              Older
            </a>
          )}
        </nav>
      )}
      {page && page.entries.length > 0 && !page.next && <small>Changes are kept for 90 days.</small>}
    </Page>
  );
}

/** What the entries that were seen on this page are about: its latest name by id. */
function useSubjects(entries: readonly ActivityEntry[]): ReadonlyMap<string, string> {
  const [seen] = useState(new Map<string, string>());
  for (const { subject, name } of entries.toReversed()) seen.set(subject, name);
  return seen;
}

interface SubjectSelectProps {
  subjects: ReadonlyMap<string, string>;
  value: string;
  onChange(subject: string): void;
}

function SubjectSelect({ subjects, value, onChange }: SubjectSelectProps) {
  const byKind = Map.groupBy(subjects, ([subject]) => nameKind(subject));
  return (
    <select aria-label="Show" value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      <option value="">Everything</option>
      {value !== '' && !subjects.has(value) && <option value={value}>{value}</option>}
      {[...byKind].map(([kind, some]) => (
        <optgroup key={kind} label={kind}>
          {some.map(([subject, name]) => (
            <option key={subject} value={subject}>
              {name}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  );
}

const Nothing = ({ view: { subject, before } }: { view: View }) => (
  <section class="card empty" aria-label="Nothing here">
    <h2>{before ? 'Nothing older' : 'Nothing has changed in the last 90 days'}</h2>
    {!subject && !before && (
      <>
        <p>Every change of a campaign, an API key, or a webhook is listed here: who made it, and what was before.</p>
        <a class="button primary" href="/campaigns/new">
          Create a campaign
        </a>
      </>
    )}
  </section>
);
