import { Bar } from '../parts/bar.tsx';
import { outcomeInWords, usd } from '../words.ts';
import type { Candidate } from './bidding.ts';

const STRATEGIES: Readonly<Record<Candidate['price']['strategy'], string>> = {
  manual: 'bids exactly its maximum',
  auto: 'scales its maximum by relevance and pacing',
  maximize_clicks: 'scales its maximum by the clicks expected',
  target_cpa: 'bids what the conversions expected are worth',
};

const Sum = ({ price, relevance }: Pick<Candidate, 'price' | 'relevance'>) => (
  <>
    {usd(price.bid, 3)} bid × {relevance.toFixed(2)} relevance = <b>{usd(price.value, 3)}</b>
  </>
);

/** The campaigns that were considered, as bars of what each was worth: its bid times its relevance. */
export function Candidates({ candidates }: { candidates: readonly Candidate[] }) {
  const most = Math.max(...candidates.map(({ price }) => price.value));
  return (
    <ol class="candidates">
      {candidates.map(({ campaignId, name, relevance, matched, price, outcome }) => (
        <li key={campaignId} class={outcome === 'won' ? 'won' : 'lost'}>
          <div class="row">
            <b>{name}</b>
            <span class="outcome">{outcomeInWords(outcome)}</span>
          </div>
          <Bar label={`Worth of ${name}`} part={price.value} whole={most} />
          <div class="sum">
            {price.value === 0 ? (
              `${relevance.toFixed(2)} relevance, no bid`
            ) : (
              <Sum price={price} relevance={relevance} />
            )}
          </div>
          <small>
            At most {usd(price.maxCpb, 3)}; {STRATEGIES[price.strategy]}.
            {matched.length > 0 && ` Said: ${[...new Set(matched.map(({ term }) => term))].join(', ')}.`}
          </small>
        </li>
      ))}
    </ol>
  );
}
