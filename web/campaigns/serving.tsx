import type { ComponentChildren } from 'preact';
import { nameState } from '../parts/status.tsx';
import { Day } from '../parts/time.tsx';
import type { CampaignBody } from './bodies.ts';
import { explain, findFaults, findObstacles, getState, isPausedByUser, isSpent, type Reason } from './state.ts';
import { Toggle } from './toggle.tsx';

interface ServingProps {
  campaign: CampaignBody;
  onSaved(saved: CampaignBody): void;
  onTopUp(): void;
}

/** Whether the campaign is in auctions and, if not, how to change that. */
export function ServingState({ campaign, onSaved, onTopUp }: ServingProps) {
  const { id, serving } = campaign;
  const faults = findFaults(campaign);
  const warnings = serving.reasons.filter(({ blocking }) => !blocking);
  const { tone, title, text } = describe(campaign, faults);
  const state = getState(campaign);
  // Resuming or finishing comes before a single fix. A live campaign needs nothing.
  const isToggleFirst =
    isPausedByUser(campaign) || state === 'completed' || state === 'cancelled' || (state === 'draft' && !faults.length);
  const fixes = (reasons: readonly Reason[], hasPrimary: boolean) => (
    <ul class="reasons">
      {reasons.map((reason, place) => (
        <li key={reason.code + reason.field} class={reason.blocking ? 'blocking' : 'warning'}>
          <p>{explain(reason, campaign)}</p>
          <Fix id={id} reason={reason} isPrimary={hasPrimary && place === 0} onTopUp={onTopUp} />
        </li>
      ))}
    </ul>
  );
  return (
    <section id="serving" class={`card serving ${tone}`} aria-label="Serving">
      <div class="card-head">
        <h2>{title}</h2>
        <Toggle campaign={campaign} onSaved={onSaved} look={isToggleFirst ? 'primary' : ''} />
        <NewDate campaign={campaign} />
      </div>
      {text && <p>{text}</p>}
      {faults.length > 0 && fixes(faults, !isToggleFirst)}
      {warnings.length > 0 && (
        <>
          <h3>Recommendations</h3>
          {fixes(warnings, false)}
        </>
      )}
    </section>
  );
}

interface Description {
  tone: 'good' | 'warn' | 'bad' | '';
  title: string;
  text?: ComponentChildren;
}

/** Red is for what only the advertiser can fix, amber for what was intended or passes by itself. */
function describe(campaign: CampaignBody, faults: readonly Reason[]): Description {
  const state = getState(campaign);
  const title = nameState(state);
  const { startDate, endDate } = campaign;
  switch (state) {
    case 'active':
      return { tone: 'good', title, text: 'It bids in every conversation that fits.' };
    case 'scheduled':
      return { tone: '', title, text: startDate && <Starts at={startDate} /> };
    case 'draft':
      return {
        tone: '',
        title: 'Not launched yet',
        text: faults.length === 0 ? 'Everything is set.' : 'Before you can launch:',
      };
    case 'completed':
      return { tone: '', title, text: endDate && <Ended at={endDate} /> };
    case 'cancelled':
      return { tone: '', title, text: faults.length === 0 ? 'It no longer bids.' : 'Before it can run again:' };
    case 'paused':
      if (isPausedByUser(campaign))
        return {
          tone: 'warn',
          title: 'You paused this campaign',
          text: findObstacles(campaign).length > 0 && 'Before you can resume:',
        };
      return { tone: 'warn', title };
    case 'not_serving':
      return faults.every((reason) => isSpent(reason, campaign))
        ? { tone: 'warn', title }
        : { tone: 'bad', title, text: 'To go live:' };
  }
}

const Starts = ({ at }: { at: string }) => (
  <>
    It starts <Day at={at} />.
  </>
);

const Ended = ({ at }: { at: string }) => (
  <>
    Its end date is <Day at={at} />.
  </>
);

/** A scheduled campaign waits for its start, and a completed one needs a later end. */
function NewDate({ campaign }: { campaign: CampaignBody }) {
  const state = getState(campaign);
  if (state === 'scheduled') return <EditLink id={campaign.id} field="startDate" look="button" />;
  const hasEnded = campaign.serving.reasons.some(({ code }) => code === 'ended');
  return state === 'completed' && hasEnded ? <EditLink id={campaign.id} field="endDate" look="button primary" /> : null;
}

const FIELDS: Readonly<Record<string, string>> = {
  'creative.landingUrl': 'Set the landing page URL',
  'creative.headline': 'Write a headline',
  'targetAudience.keywords': 'Choose keywords',
  maxCpb: 'Set the maximum bid',
  targetCpa: 'Set the target CPA',
  startDate: 'Change the start date',
  endDate: 'Set a later end date',
  dailyBudget: 'Change the daily budget',
};

interface EditLinkProps {
  id: string;
  field: string;
  look: string;
  children?: string | undefined;
}

const EditLink = ({ id, field, look, children = FIELDS[field] ?? 'Edit' }: EditLinkProps) => (
  <a class={look} href={`/campaigns/${id}/edit?field=${field}`}>
    {children}
  </a>
);

interface FixProps {
  id: string;
  reason: Reason;
  isPrimary: boolean;
  onTopUp(): void;
}

function Fix({ id, reason: { code, field = '', blocking }, isPrimary, onTopUp }: FixProps) {
  const look = isPrimary ? 'button primary' : 'button';
  if (code === 'budget') {
    return (
      <button type="button" class={look} onClick={onTopUp}>
        Add budget
      </button>
    );
  }
  return (
    <EditLink id={id} field={field} look={look}>
      {code === 'creative_review'
        ? 'Rewrite the ad'
        : code === 'daily_budget' && blocking
          ? 'Raise the daily budget'
          : undefined}
    </EditLink>
  );
}
