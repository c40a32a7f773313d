import { useAct } from '../parts/live.ts';
import { Problem } from '../parts/problem.tsx';
import { Time } from '../parts/time.tsx';
import { useSession } from '../session.ts';
import { faultInWords, fieldsInWords } from '../words.ts';
import type { CampaignBody } from './bodies.ts';
import { fault, isWaiting, type Reason } from './state.ts';

interface ServingProps {
  campaign: CampaignBody;
  onDone(): Promise<void>;
  onTopUp(): void;
}

/** Whether a campaign takes part in auctions, and what would mend it where not. */
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
    <section class={`card serving ${eligible ? 'good' : isLater ? '' : 'bad'}`} aria-label="Serving">
      <h2>{eligible ? 'It is serving' : isLater ? 'It serves later' : 'It is not serving'}</h2>
      {eligible && reasons.length === 0 && <p>It takes part in every auction for conversations that it fits.</p>}
      <Problem text={problem} />
      <ul class="reasons">
        {reasons.map((reason, place) => (
          <li key={reason.code + reason.field} class={reason.blocking ? 'blocking' : 'warning'}>
            {reason.code === 'not_started' && campaign.startDate ? (
              <p>
                It begins <Time at={campaign.startDate} />.
              </p>
            ) : (
              <p>{sentence(reason)}</p>
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

/** What a reason says to who can push a button: the field to set is what the button does. A passage of the ad is shown as it is. */
function sentence(reason: Reason): string {
  if (reason.code === 'creative_review') return reason.message;
  return reason.blocking ? faultInWords(fault(reason)) : `It could do better: ${fieldsInWords(fault(reason))}`;
}

const ACTIVATE: Partial<Record<Reason['code'], string>> = {
  draft: 'Launch it',
  paused: 'Resume it',
  completed: 'Run it again',
  cancelled: 'Run it again',
};

const FIELDS: Readonly<Record<string, string>> = {
  'creative.landingUrl': 'Set the landing page',
  'creative.headline': 'Write a headline',
  'targetAudience.keywords': 'Choose keywords',
  maxCpb: 'Set the highest bid',
  targetCpa: 'Set what a conversion is worth',
  startDate: 'Change the start',
  endDate: 'Change the end',
  dailyBudget: 'Change the daily budget',
};

interface MendProps {
  id: string;
  reason: Reason;
  /** One button stands out, not each. */
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
      {code === 'creative_review' ? 'Write it anew' : (FIELDS[field] ?? 'Edit it')}
    </a>
  );
}
