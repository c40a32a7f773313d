import { useState } from 'preact/hooks';
import type { Result } from '../../packages/client/src/index.ts';
import { counted, formatUsd } from '../format.ts';
import { useAct } from '../parts/live.ts';
import { Problem } from '../parts/problem.tsx';
import { Snippet } from '../parts/snippet.tsx';
import { Time } from '../parts/time.tsx';
import { useSession } from '../session.ts';
import type { CampaignBody } from './bodies.ts';
import { getConversionSnippets, SAMPLE } from './conversion-snippets.ts';

const TEST = 'POST /api/v1/conversions/test';

interface ConversionsProps {
  campaign: CampaignBody;
  onSaved(saved: Pick<CampaignBody, 'conversionStatus'>): void;
}

/** How an advertiser's server reports conversions, whether any arrived, and a test. */
export default function Conversions({ campaign, onSaved }: ConversionsProps) {
  const { ads, visitor } = useSession();
  const { isBusy, problem, act } = useAct();
  const [received, setReceived] = useState<Result<typeof TEST> | null>(null);
  const { id, conversionStatus, conversionWindowDays } = campaign;
  const sendTest = () =>
    act(async () => {
      setReceived(null);
      const test = await ads(TEST, { body: { campaignId: id, ...SAMPLE } });
      setReceived(test);
      onSaved({ conversionStatus: { ...conversionStatus, lastTestAt: test.createdAt } });
    });
  const user = visitor.kind === 'demo' ? visitor.user : null;
  return (
    <section id="conversions" class="card" aria-label="Conversions">
      <div class="card-head">
        <h2>Conversions</h2>
        <Status campaign={campaign} />
        <button type="button" aria-disabled={isBusy} onClick={sendTest}>
          Send test
        </button>
      </div>
      <p>
        Report what clicks led to, such as purchases, to see what one costs. Each click adds <code>click_id</code> to
        the URL of your landing page: keep it with the visit, and send it from your server within{' '}
        {counted(conversionWindowDays ?? 30, 'day')}. <a href="/docs/conversions">Guide to conversions</a>
      </p>
      <Problem text={problem} />
      <p role="status" class="notice">
        {isBusy && 'Sending the test…'}
        {received &&
          `The test was received: ${received.conversionType}, ${formatUsd(received.value)}. Tests count nowhere.`}
      </p>
      {conversionStatus?.lastTestAt && !received && (
        <p class="notice">
          Last test: <Time at={conversionStatus.lastTestAt} isRelative />
        </p>
      )}
      <Snippet
        heading={<h3>In your server</h3>}
        texts={getConversionSnippets({ origin: location.origin, campaignId: id, user })}
      />
      {user === null && (
        <small>
          <code>ADS_TOKEN</code> is an access token of your account, from the issuer that you sign in with.
        </small>
      )}
    </section>
  );
}

/** Whether conversions arrive. During a rollout, the previous version responds without the time. */
function Status({ campaign: { conversionStatus, performance } }: { campaign: CampaignBody }) {
  const lastAt = conversionStatus?.lastConversionAt;
  if (lastAt) {
    return (
      <span class="status live">
        Last received <Time at={lastAt} isRelative />
      </span>
    );
  }
  // The service notes the time only since conversions have a window.
  return performance.conversions > 0 ? (
    <span class="status live">Received</span>
  ) : (
    <span class="status">Never received</span>
  );
}
