import { Figures, NothingInRange } from '../figures/figures.tsx';
import { useRange } from '../figures/range.ts';
import { useSession } from '../session.ts';
import type { CampaignBody } from './bodies.ts';
import { COST_PER_CLICK, METRICS, NOT_RELEVANT, TRUST } from './metrics.ts';
import { explain, findFaults, getState, type State } from './state.ts';

const REPORT = 'GET /api/v1/campaigns/{id}/report';
export type ReportDayBody = NonNullable<CampaignBody['report']>[number];

interface CampaignFiguresProps {
  id: string;
  /** Null while it loads. */
  campaign: CampaignBody | null;
  days: readonly ReportDayBody[] | null;
  problem: string | null;
}

/** A campaign's totals and daily figures. */
export function CampaignFigures({ id, campaign, days, problem }: CampaignFiguresProps) {
  const { ads } = useSession();
  return (
    <Figures
      name={campaign?.name ?? id}
      metrics={[...METRICS, COST_PER_CLICK, ...NOT_RELEVANT, ...TRUST]}
      days={days}
      problem={problem}
      loadCsv={(query) => ads.csv(REPORT, { params: { id }, query })}
      empty={campaign && <Nothing campaign={campaign} />}
    />
  );
}

const listOf = new Intl.ListFormat('en-US');
const MAX_KEYWORDS = 3;

/** Why a campaign without faults does not compete. */
const HINTS: Partial<Record<State, string>> = {
  draft: 'Launch the campaign above to show its ad.',
  scheduled: 'The campaign has not started yet.',
  paused: 'You paused this campaign. Resume it above to show its ad.',
  completed: 'The campaign ended before its ad was shown.',
  cancelled: 'The campaign was canceled before its ad was shown.',
};

/** Why the campaign has no figures in these days, and what to do next. */
function Nothing({ campaign }: { campaign: CampaignBody }) {
  const { period } = useRange();
  if (campaign.performance.impressions > 0 || period.to < campaign.createdAt.slice(0, 10)) return <NothingInRange />;
  const [fault] = findFaults(campaign);
  if (fault) {
    return (
      <>
        <h3>No impressions yet</h3>
        <p>{explain(fault, campaign)}</p>
        <a class="button" href="#serving">
          See how to fix it
        </a>
      </>
    );
  }
  const hint = HINTS[getState(campaign)];
  if (hint) {
    return (
      <>
        <h3>No impressions yet</h3>
        <p>{hint}</p>
      </>
    );
  }
  return (
    <>
      <h3>No impressions yet</h3>
      <p>
        Bids when people talk about: <bdi>{listOf.format(campaign.targetAudience.keywords.slice(0, MAX_KEYWORDS))}</bdi>
        .
      </p>
      <a class="button" href="#try">
        Try a conversation
      </a>
    </>
  );
}
