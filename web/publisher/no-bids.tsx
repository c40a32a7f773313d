import type { NoBidReason } from '../../shared/platform/values/outcomes.ts';
import { formatCount } from '../format.ts';
import { Bar } from '../parts/bar.tsx';
import type { KeyDayBody } from './data.ts';

const NOT_RUNNING = 'The matching campaign is not running.';
const SPENT = 'The matching campaign has reached its budget for now.';
const NOT_NOW = 'The service could not respond in time.';

/** Why a request got no ad, explained for a publisher. What the advertiser could change is left out. */
const WORDS: Readonly<Record<NoBidReason, string>> = {
  sensitive_context: 'The conversation is sensitive, so no ad is shown.',
  no_user_message: 'No user message contains a word.',
  no_commercial_context: 'The conversation was not about anything commercial.',
  no_match: 'No running campaign matches the conversation.',
  below_threshold: 'No campaign fits well enough to be worth an interruption.',
  judge: 'The second opinion found that an ad would not be welcome.',
  draft: NOT_RUNNING,
  paused: NOT_RUNNING,
  completed: NOT_RUNNING,
  cancelled: NOT_RUNNING,
  not_started: NOT_RUNNING,
  ended: NOT_RUNNING,
  creative_review: NOT_RUNNING,
  incomplete: NOT_RUNNING,
  budget: SPENT,
  daily_budget: SPENT,
  pacing: SPENT,
  country: 'The matching campaign targets other countries, or your request did not send the country.',
  language: 'The matching campaign is in a language other than the conversation’s, or in one you do not accept.',
  format: 'The matching campaign has no ad in the requested format.',
  frequency_cap:
    'The conversation has reached its maximum number of ads, or the request already contains the matching one.',
  excluded_keyword: 'The conversation contains a word that the advertiser excludes.',
  excluded_publisher: 'The advertiser does not run ads with you.',
  blocked: 'You block its domain or category, or you allow only other seats or deals.',
  coppa: 'The request says that the user is a child, so no ad is shown.',
  currency: 'Your floor, or every currency you accept, is not USD.',
  asset: 'The matching campaign lacks an asset that the native request requires.',
  turn_spacing: 'The last ad in the conversation is too recent for your settings.',
  below_floor: 'All bids were below your floor.',
  late: NOT_NOW,
  catalog_stale: NOT_NOW,
};

const isReason = (code: string): code is NoBidReason => code in WORDS;

/** Counts by reason, the most frequent first. A reason that this page does not know appears as its code. */
function tally(days: readonly KeyDayBody[]): [words: string, count: number][] {
  const counts = new Map<string, number>();
  for (const [code, count] of days.flatMap(({ approximateNoBids }) => Object.entries(approximateNoBids))) {
    const words = isReason(code) ? WORDS[code] : code;
    counts.set(words, (counts.get(words) ?? 0) + count);
  }
  return [...counts].sort(([, a], [, b]) => b - a);
}

export function NoBids({ days }: { days: readonly KeyDayBody[] }) {
  const reasons = tally(days);
  if (reasons.length === 0)
    return days.some(({ requests, bids }) => requests > bids) ? (
      <p>The reasons for the others appear after the key’s next request, about a minute later.</p>
    ) : null;
  const most = reasons[0]![1];
  return (
    <section aria-label="Requests without an ad">
      <h3>Why other requests got no ad</h3>
      <ul class="bars">
        {reasons.map(([words, count]) => (
          <li key={words}>
            <div class="row">
              <span>{words}</span>
              <span>about {formatCount(count)}</span>
            </div>
            <Bar label={words} part={count} whole={most} />
          </li>
        ))}
      </ul>
      <small>Approximate: reported about once a minute, and a few may be lost. The figures above are exact.</small>
    </section>
  );
}
