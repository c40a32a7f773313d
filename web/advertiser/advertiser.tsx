import { useState } from 'preact/hooks';
import { Problem } from '../parts/problem.tsx';
import type { Session } from '../session.ts';
import { inWords } from '../words.ts';
import { CampaignRow } from './campaign-row.tsx';
import { type Summary, useCampaigns } from './data.ts';
import { Report } from './report.tsx';
import { Webhooks } from './webhooks.tsx';

/** What an advertiser wants to know: which campaigns run, what they spend and bring, and who was told. */
export function Advertiser({ session }: { session: Session }) {
  const { value: campaigns, problem, setProblem, again } = useCampaigns(session);
  const [chosen, choose] = useState<string | null>(null);
  const shown = campaigns?.find(({ id }) => id === chosen) ?? campaigns?.[0];

  const toggle = async ({ id, status }: Summary) => {
    try {
      const next = status === 'active' ? 'paused' : 'active';
      await session.advertiser('PATCH /api/v1/campaigns/{id}', { params: { id }, body: { status: next } });
      await again();
    } catch (error) {
      setProblem(inWords(error));
    }
  };

  return (
    <div class="halves">
      <section aria-label="Campaigns">
        <h2>Campaigns of {session.identity.advertiser}</h2>
        <Problem text={problem} />
        {campaigns?.length === 0 && <p class="notice">There are none yet.</p>}
        <ul class="campaigns">
          {campaigns?.map((campaign) => (
            <CampaignRow
              key={campaign.id}
              campaign={campaign}
              isChosen={campaign === shown}
              onChoose={() => choose(campaign.id)}
              onToggle={() => toggle(campaign)}
            />
          ))}
        </ul>
      </section>
      <div>
        {shown && <Report key={shown.id} session={session} campaign={shown} />}
        <Webhooks session={session} />
      </div>
    </div>
  );
}
