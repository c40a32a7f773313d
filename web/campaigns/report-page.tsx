import type { Result } from '../../packages/client/src/index.ts';
import { utcDay } from '../../shared/platform/clock.ts';
import { RangePicker } from '../figures/chart.tsx';
import { type Period, useRange } from '../figures/range.ts';
import { parseOrder, SortedTable, type TableRow } from '../figures/sorted-table.tsx';
import { counted } from '../format.ts';
import { Download, toFileName } from '../parts/download.tsx';
import { useLive } from '../parts/live.ts';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { StatusBadge } from '../parts/status.tsx';
import { type Session, useSession } from '../session.ts';
import { COST_PER_CLICK, METRICS, NOT_RELEVANT } from './metrics.ts';

const REPORT = 'GET /api/v1/reports/campaigns';
type CampaignRowBody = Result<typeof REPORT>[number];

/** The service reads the days of each campaign, so the report is polled less often than a list. */
const EVERY_MS = 5 * 60_000;
/** Campaigns of a response. */
const IN_ONE_CALL = 100;
const SHOWN_FIRST = 50;

const COLUMNS = [...METRICS, COST_PER_CLICK, ...NOT_RELEVANT];

/** Loads the figures of all campaigns as CSV, with one header. */
async function loadCsv(ads: Session['ads'], period: Period, campaigns: number): Promise<string> {
  let text = '';
  for (let offset = 0; offset === 0 || offset < campaigns; offset += IN_ONE_CALL) {
    const page = await ads.csv(REPORT, { query: { ...period, offset, limit: IN_ONE_CALL } });
    text += offset === 0 ? page : page.slice(page.indexOf('\n') + 1);
  }
  return text;
}

/** The figures of all campaigns in a period. */
export default function CampaignsReportPage() {
  const { ads } = useSession();
  const { range, period, sort, set, setRange } = useRange();
  const about = `${period.from} ${period.to}`;
  const load = async () => {
    const rows: CampaignRowBody[] = [];
    for await (const row of ads.list(REPORT, { query: { ...period } })) rows.push(row);
    return { about, rows };
  };
  const { value, problem } = useLive(load, [about], ({ rows }) => EVERY_MS * Math.ceil(1 + rows.length / IN_ONE_CALL));
  // Hide the figures of another range while these load.
  const rows = value?.about === about ? value.rows : null;
  const campaigns = new Map(rows?.map((row) => [row.campaignId, row]));
  const head = ({ key }: TableRow<CampaignRowBody>) => {
    const { name, status } = campaigns.get(key)!;
    return (
      <>
        <a class="strong" dir="auto" href={`/campaigns/${key}`}>
          {name}
        </a>{' '}
        <StatusBadge of={status} />
      </>
    );
  };
  return (
    <Page title="Report" above={{ href: '/campaigns', name: 'Campaigns' }}>
      <section class="card" aria-label="All campaigns">
        <div class="card-head">
          <h2>{rows?.length ? counted(rows.length, 'campaign') : 'All campaigns'}</h2>
          {rows?.length !== 0 && (
            <RangePicker range={range} today={utcDay(Date.now())} onChange={setRange}>
              <Download file={toFileName('campaigns', period)} load={() => loadCsv(ads, period, rows?.length ?? 0)} />
            </RangePicker>
          )}
        </div>
        <Problem text={problem} />
        {!rows && problem === null && <Skeleton of="the report" as="rows" lines={6} />}
        {rows?.length === 0 && (
          <div class="empty">
            <p>Start a campaign to see its figures here.</p>
            <a class="button primary" href="/campaigns/new">
              Start a campaign
            </a>
          </div>
        )}
        {rows && rows.length > 0 && (
          <>
            <SortedTable
              label="Performance by campaign"
              of="Campaign"
              metrics={COLUMNS}
              rows={rows.map((row) => ({ key: row.campaignId, name: row.name, counts: [row] }))}
              order={parseOrder(sort, COLUMNS)}
              onOrder={(chosen) => set({ sort: chosen })}
              shownFirst={SHOWN_FIRST}
              head={head}
            />
            <small class="explained">
              Without deleted campaigns. <a href="/statements">Statements</a> include what they spent.
            </small>
          </>
        )}
      </section>
    </Page>
  );
}
