import type { NoBidReason } from '../../shared/platform/values/outcomes.ts';
import { formatCount } from '../format.ts';
import { Bar } from '../parts/bar.tsx';
import type { KeyDayBody } from './data.ts';

const NOT_RUNNING = 'The campaign that fits is not running.';
const SPENT = 'The campaign that fits has spent what it may spend for now.';
const NOT_NOW = 'The service could not answer in time.';

/** Why a request got no ad, as it concerns a publisher: what an advertiser would do about it is no matter here. */
const WORDS: Readonly<Record<NoBidReason, string>> = {
  sensitive_context: 'The conversation is sensitive: no ad is shown there.',
  no_user_message: 'No message of the user has a word in it.',
  no_commercial_context: 'Nothing commercial was being talked about.',
  no_match: 'No running campaign is about what was being talked about.',
  below_threshold: 'What fits, fits too little to be worth an interruption.',
  judge: 'The second opinion was that an ad would not be welcome.',
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
  country: 'The campaign that fits is for other countries, or the country was not sent.',
  language: 'The campaign that fits is in another language than the conversation, or than you take.',
  format: 'The campaign that fits has no ad of the format that was asked for.',
  frequency_cap: 'The conversation has had as many ads as it may have, or the request has the one that fits.',
  excluded_keyword: 'The advertiser shows no ad where a certain word was said.',
  blocked: 'You exclude its domain or category, or other seats and deals than it has.',
  coppa: 'The request says that it is about a child: no ad is shown there.',
  currency: 'The floor, or every currency that is taken, is another than USD.',
  asset: 'The campaign that fits lacks a part that the native request requires.',
  turn_spacing: 'The last ad of the conversation is too near, by your settings.',
  below_floor: 'The bids were lower than your bid floor.',
  late: NOT_NOW,
  catalog_stale: NOT_NOW,
};

const isReason = (code: string): code is NoBidReason => code in WORDS;

/** How often each thing was the reason, the most frequent first; of reasons that are newer than this page, their codes. */
function tally(days: readonly KeyDayBody[]): [words: string, count: number][] {
  const counts = new Map<string, number>();
  for (const [code, count] of days.flatMap(({ approximateNoBids }) => Object.entries(approximateNoBids))) {
    const words = isReason(code) ? WORDS[code] : code;
    counts.set(words, (counts.get(words) ?? 0) + count);
  }
  return [...counts].sort(([, a], [, b]) => b - a);
}

/** Why requests got no ad. */
export function NoBids({ days }: { days: readonly KeyDayBody[] }) {
  const reasons = tally(days);
  if (reasons.length === 0)
    return days.some(({ requests, bids }) => requests > bids) ? (
      <p>Why the others got no ad is told with the key’s next request, about a minute later.</p>
    ) : null;
  const most = reasons[0]![1];
  return (
    <section aria-label="Requests without an ad">
      <h3>Why the others got no ad</h3>
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
      <small>Approximate: these are told about once a minute, and a few are lost. All other figures are exact.</small>
    </section>
  );
}
