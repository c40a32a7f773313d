import { Problem } from '../parts/problem.tsx';
import type { Session } from '../session.ts';
import { type Summary, useReport } from './data.ts';
import { Plot } from './plot.tsx';

/** A campaign's last thirty days as plots. */
export function Report({ session, campaign }: { session: Session; campaign: Summary }) {
  const { value: days, problem } = useReport(session, campaign.id);
  return (
    <section aria-label="Report">
      <h2>{campaign.name}, day by day</h2>
      <Problem text={problem} />
      {days && (
        <>
          <Plot title="Spend, USD" days={days} of="spend" />
          <Plot title="Impressions" days={days} of="impressions" />
          <Plot title="Clicks" days={days} of="clicks" />
        </>
      )}
    </section>
  );
}
