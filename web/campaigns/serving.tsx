import { useAct } from '../parts/live.ts';
import { Problem } from '../parts/problem.tsx';
import { Time } from '../parts/time.tsx';
import { useSession } from '../session.ts';
import type { CampaignBody } from './bodies.ts';
import { isWaiting, type Reason } from './state.ts';

interface ServingProps {
  campaign: CampaignBody;
  onDone(): Promise<void>;
  onTopUp(): void;
}

/** Whether the campaign is in auctions and, if not, how to fix it. */
export function ServingState({ campaign, onDone, onTopUp }: ServingProps) {
  const { ads } = useSession();
  const { isBusy, problem, act } = useAct();
  const { eligible, reasons } = campaign.serving;
  const activate = () =>
    act(async () => {
      await ads('PATCH /api/v1/campaigns/{id}', { params: { id: campaign.id }, body: { status: 'active' } });
      await onDone();
    });
  const isLater = isWaiting(campaign.serving);
  return (
    <section id="serving" class={`card serving ${eligible ? 'good' : isLater ? '' : 'bad'}`} aria-label="Serving">
      <h2>{eligible ? 'It is serving' : isLater ? 'It will serve later' : 'It is not serving'}</h2>
      {eligible && reasons.length === 0 && <p>It competes in every conversation that it fits.</p>}
      <Problem text={problem} />
      <ul class="reasons">
        {reasons.map((reason, place) => (
          <li key={reason.code + reason.field} class={reason.blocking ? 'blocking' : 'warning'}>
            {reason.code === 'not_started' && campaign.startDate ? (
              <p>
                It begins <Time at={campaign.startDate} />.
              </p>
            ) : (
              <p>{reason.blocking ? reason.message : `It could do better. ${reason.message}`}</p>
            )}
            <Mend
              id={campaign.id}
              reason={reason}
              isFirst={place === 0}
              isBusy={isBusy}
              onActivate={activate}
              onTopUp={onTopUp}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

const ACTIVATE: Partial<Record<Reason['code'], string>> = {
  draft: 'Launch it',
  paused: 'Resume it',
  completed: 'Run it again',
  cancelled: 'Run it again',
};

const FIELDS: Readonly<Record<string, string>> = {
  'creative.landingUrl': 'Set the landing page URL',
  'creative.headline': 'Write a headline',
  'targetAudience.keywords': 'Choose keywords',
  maxCpb: 'Set the maximum bid',
  targetCpa: 'Set the target CPA',
  startDate: 'Change the start date',
  endDate: 'Change the end date',
  dailyBudget: 'Change the daily budget',
};

interface MendProps {
  id: string;
  reason: Reason;
  /** Only one button is primary. */
  isFirst: boolean;
  isBusy: boolean;
  onActivate(): void;
  onTopUp(): void;
}

function Mend({ id, reason: { code, field = '' }, isFirst, isBusy, onActivate, onTopUp }: MendProps) {
  const deed = ACTIVATE[code];
  const look = isFirst ? 'button primary' : 'button';
  if (deed) {
    return (
      <button type="button" class={look} aria-disabled={isBusy} onClick={onActivate}>
        {deed}
      </button>
    );
  }
  if (code === 'budget') {
    return (
      <button type="button" class={look} onClick={onTopUp}>
        Add budget
      </button>
    );
  }
  return (
    <a class={look} href={`/campaigns/${id}/edit?field=${field}`}>
      {code === 'creative_review' ? 'Rewrite it' : (FIELDS[field] ?? 'Edit it')}
    </a>
  );
}
