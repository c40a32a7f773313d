import { useState } from 'preact/hooks';
import { counted, formatCount } from '../format.ts';
import type { HomeBody } from './figures.tsx';

type Need = HomeBody['attention'][number];

/** The first ones show without a click. */
const MAX_SHOWN = 5;

/** What needs attention, each with the one thing to do. Nothing if nothing does. */
export function Attention({ home: { attention, attentionCounts } }: { home: HomeBody }) {
  const [isWhole, showWhole] = useState(false);
  const count = Object.values(attentionCounts).reduce((sum, ofKind) => sum + ofKind, 0);
  if (count === 0) return null;
  const shown = isWhole ? attention : attention.slice(0, MAX_SHOWN);
  const isCut = count > attention.length;
  return (
    <section class="card warn" aria-label="Needs attention">
      <div class="card-head">
        <h2>Needs attention</h2>
        {count > shown.length && <small>{`${formatCount(shown.length)} of ${formatCount(count)}`}</small>}
      </div>
      <ul class="reasons">
        {shown.map((need) => (
          <li key={`${need.kind} ${need.id}`}>
            <p>
              <a class="strong" dir="auto" href={toPage(need)}>
                {need.name}
              </a>
              <br />
              {need.message}
            </p>
            <Fix need={need} />
          </li>
        ))}
      </ul>
      {attention.length > shown.length && (
        <div class="actions after">
          <button type="button" onClick={() => showWhole(true)}>
            Show {counted(attention.length - shown.length, 'more', 'more')}
          </button>
        </div>
      )}
      {isWhole && isCut && (
        <p class="notice">
          {formatCount(count - attention.length)} more are not listed here. <a href="/campaigns">All campaigns</a>
        </p>
      )}
    </section>
  );
}

const toPage = ({ kind, id }: Need): string => `/${kind === 'webhook_failing' ? 'webhooks' : 'campaigns'}/${id}`;

/** What to do about a reason, and where on the campaign's page. Others are explained there. */
const FIXES: Readonly<Record<string, readonly [deed: string, where: string]>> = {
  budget: ['Add budget', '#add-budget'],
  daily_budget: ['Raise the daily budget', '/edit?field=dailyBudget'],
  creative_review: ['Rewrite the ad', '/edit?field=creative.headline'],
  ended: ['Set a later end date', '/edit?field=endDate'],
};

const EXPLAINED = ['See how to fix it', '#serving'] as const;

function Fix({ need }: { need: Need }) {
  const [deed, where] =
    need.kind === 'webhook_failing'
      ? [need.code === 'disabled' ? 'Turn it on' : 'See deliveries', '']
      : (FIXES[need.code] ?? EXPLAINED);
  return (
    <a class="button" href={toPage(need) + where} aria-label={`${deed}: ${need.name}`}>
      {deed}
    </a>
  );
}
