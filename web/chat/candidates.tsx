import { formatUsd } from '../format.ts';
import { Bar } from '../parts/bar.tsx';
import { nameState } from '../parts/status.tsx';
import type { ExplainedCandidate } from './bodies.ts';
import { explainCandidate } from './outcomes.ts';

const STRATEGIES: Readonly<Record<NonNullable<ExplainedCandidate['price']['strategy']>, string>> = {
  manual: 'bids exactly its maximum',
  auto: 'scales its maximum by relevance and pacing',
  maximize_clicks: 'scales its maximum by the clicks expected',
  target_cpa: 'bids what the conversions expected are worth',
};

/** The value that candidates are ranked by. */
const worth = ({ price, relevance }: ExplainedCandidate): number => price.bid * relevance;

const Sum = ({ candidate }: { candidate: ExplainedCandidate }) => (
  <>
    {formatUsd(candidate.price.bid, 3)} bid × {candidate.relevance.toFixed(3)} relevance ={' '}
    <b>{formatUsd(worth(candidate), 3)}</b>
  </>
);

/** Explains the price. Only shown for the key owner's own campaigns. */
const PriceParts = ({ strategy, maxCpb }: ExplainedCandidate['price']) =>
  strategy && maxCpb !== undefined ? `At most ${formatUsd(maxCpb, 3)}; ${STRATEGIES[strategy]}. ` : null;

/** The candidates as bars of their value: bid times relevance. */
export function Candidates({ candidates }: { candidates: readonly ExplainedCandidate[] }) {
  const most = Math.max(...candidates.map(worth));
  return (
    <ol class="candidates">
      {candidates.map((candidate) => {
        const { campaignId, name, relevance, matched, price, outcome } = candidate;
        return (
          <li key={campaignId} class={outcome === 'won' ? 'won' : 'lost'}>
            <div class="row">
              <b dir="auto">{name}</b>
              <span class="outcome">{nameState(outcome)}</span>
            </div>
            <Bar label={`Worth of ${name}`} part={worth(candidate)} whole={most} />
            <div class="sum">
              {price.bid === 0 ? `${relevance.toFixed(3)} relevance, no bid` : <Sum candidate={candidate} />}
            </div>
            <small>
              {explainCandidate(candidate)} <PriceParts {...price} />
              {matched.length > 0 && `Matched: ${[...new Set(matched.map(({ term }) => term))].join(', ')}.`}
            </small>
          </li>
        );
      })}
    </ol>
  );
}
