import { useState } from 'preact/hooks';
import type { Result } from '../../packages/client/src/index.ts';
import { counts, type Metric, share } from '../figures/metrics.ts';
import { formatCount } from '../format.ts';
import { Download } from '../parts/download.tsx';
import { useLive } from '../parts/live.ts';
import { Problem } from '../parts/problem.tsx';
import { useSeen } from '../parts/seen.ts';
import { Skeleton } from '../parts/skeleton.tsx';
import { Day } from '../parts/time.tsx';
import { useSession } from '../session.ts';
import { listMonths, nameMonth, toMonth } from '../statements/months.ts';
import type { CampaignBody } from './bodies.ts';
import { TermActions } from './won-actions.tsx';

const REPORT = 'GET /api/v1/reports/terms';
type TermRow = Result<typeof REPORT>[number];

const impressions = (row: TermRow) => row.impressions;
const clicks = (row: TermRow) => row.clicks;
const METRICS: readonly Metric<TermRow>[] = [
  counts('Impressions', impressions),
  counts('Clicks', clicks),
  { ...share('CTR', clicks, impressions, 'clicks'), fullName: 'Click-through rate' },
];

/** Terms in the table until all are asked for. */
const SHOWN_FIRST = 10;

interface WonProps {
  campaign: CampaignBody;
  onSaved(saved: CampaignBody): void;
}

/** The months of a campaign that are over, newest first. */
const listFinished = (createdAt: string, now: number): string[] =>
  listMonths(now).filter((month) => toMonth(Date.parse(createdAt)) <= month && month < toMonth(now));

/** The keywords and phrases for which a campaign was shown in a month. They are not loaded before the visitor comes to them. */
export default function Won({ campaign, onSaved }: WonProps) {
  const { ads } = useSession();
  const { place, isSeen } = useSeen();
  const months = listFinished(campaign.createdAt, Date.now());
  const [chosen, setChosen] = useState<string | null>(null);
  const month = chosen ?? months[0];
  const query = { campaignId: campaign.id, month: month ?? '' };
  return (
    <section ref={place} class="card" aria-label="What won">
      <div class="card-head">
        <h2>What won</h2>
        {month && (
          <div class="tools filter">
            <select aria-label="Month" value={month} onChange={({ currentTarget }) => setChosen(currentTarget.value)}>
              {months.map((one) => (
                <option key={one} value={one}>
                  {nameMonth(one)}
                </option>
              ))}
            </select>
            <Download
              file={`${campaign.name.replaceAll(/[^\p{L}\p{N}]+/gu, '-')}-terms-${month}.csv`}
              load={() => ads.csv(REPORT, { query })}
            />
          </div>
        )}
      </div>
      <p class="notice">Keywords and phrases of conversations in which your ad was shown.</p>
      {!month ? (
        <p>
          The first month of this campaign is over on <Day at={firstOfNextMonth(Date.now())} />.
        </p>
      ) : isSeen ? (
        <Month key={month} month={month} campaign={campaign} onSaved={onSaved} />
      ) : (
        <Skeleton of="what won" as="rows" lines={6} />
      )}
    </section>
  );
}

function firstOfNextMonth(now: number): string {
  const at = new Date(now);
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1)).toISOString();
}

/** A month that is over does not change, so it is loaded once. */
function Month({ month, campaign, onSaved }: WonProps & { month: string }) {
  const { ads } = useSession();
  const { value, problem } = useLive(
    () => ads(REPORT, { query: { campaignId: campaign.id, month } }),
    [ads, campaign.id, month],
    null,
  );
  return (
    <>
      <Problem text={problem} />
      {!value && !problem && <Skeleton of="what won" as="rows" lines={6} />}
      {value?.length === 0 && <p>No keyword or phrase was counted in {nameMonth(month)}.</p>}
      {value && value.length > 0 && <Terms rows={value} campaign={campaign} onSaved={onSaved} />}
    </>
  );
}

function Terms({ rows, campaign, onSaved }: WonProps & { rows: readonly TermRow[] }) {
  const [isWhole, setWhole] = useState(false);
  const named = rows.filter(({ kind }) => kind !== 'other');
  const shown = rows.filter(({ kind }, place) => isWhole || kind === 'other' || place < SHOWN_FIRST);
  return (
    <>
      <table class="list terms">
        <thead>
          <tr>
            <th scope="col">Term</th>
            {METRICS.map(({ name, fullName }) => (
              <th key={name} scope="col" class="number" title={fullName}>
                {name}
              </th>
            ))}
            <td />
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={`${row.kind} ${row.term}`}>
              <th scope="row">
                <bdi>{row.kind === 'other' ? 'Other' : row.term}</bdi>
                <small class="below">{KINDS[row.kind]}</small>
              </th>
              {METRICS.map(({ name, total, format }) => (
                <td key={name} class="number" data-label={name}>
                  {format(total([row]))}
                </td>
              ))}
              <td class="end">
                {row.kind !== 'other' && <TermActions campaign={campaign} term={row.term} onSaved={onSaved} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {named.length > SHOWN_FIRST && (
        <button type="button" class="small after" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show fewer' : `Show all ${formatCount(named.length)}`}
        </button>
      )}
      <small class="explained">
        An impression can have several terms. To protect readers, a term is named only if at least 5 conversations of at
        least 2 publishers had it in the month. All others are counted together.
      </small>
    </>
  );
}

const KINDS = { keyword: 'Keyword', phrase: 'Phrase', other: 'Shared by too few conversations' } as const;
