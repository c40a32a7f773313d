import { counted, formatPercent, formatUsd } from '../format.ts';
import { findRanges } from '../highlight.ts';
import { Highlighted } from '../parts/highlighted.tsx';
import { StatusBadge } from '../parts/status.tsx';
import type { Message } from './conversation.ts';
import type { PreviewBody } from './preview.ts';

type MatchBody = NonNullable<PreviewBody['match']>;

interface MatchProps {
  match: MatchBody;
  messages: readonly Message[];
  /** The excluded keywords, marked where they occur. */
  excluded: readonly string[];
}

/** Publishers choose for each key how well an ad must fit. */
const STRICTNESS: Readonly<Record<MatchBody['levels'][number]['adStrictness'], string>> = {
  strict: 'Publishers with strict ads',
  balanced: 'Most publishers',
  open: 'Publishers with more ads',
};

/** The result of a tried conversation. */
export function Match({ match, messages, excluded }: MatchProps) {
  // During a rollout, the previous version responds without `levels`.
  const { fits, outcome, means, levels = [], relevance, matched, price, others, own } = match;
  const markedIn = (content: string, index: number) =>
    outcome === 'excluded_keyword'
      ? findRanges(content, excluded)
      : matched.flatMap(({ message, positions }) => (message === index ? positions : []));
  return (
    <div class={`match ${outcome === 'won' ? 'good' : 'bad'}`}>
      <h3>{outcome === 'won' ? 'Your ad would be shown' : fits ? 'It would bid but not win' : 'It would not bid'}</h3>
      <p>{means}</p>
      <blockquote>
        {messages.map(({ role, content }, index) => (
          <div key={index} dir="auto">
            {messages.length > 1 && <b>{role === 'user' ? 'User: ' : 'Assistant: '}</b>}
            <Highlighted text={content} ranges={markedIn(content, index)} />
          </div>
        ))}
      </blockquote>
      <dl class="facts">
        <div>
          <dt>Relevance</dt>
          <dd>{formatPercent(relevance, 0)}</dd>
        </div>
        {levels.map(({ adStrictness, threshold, fits }) => (
          <div key={adStrictness}>
            <dt>
              {STRICTNESS[adStrictness]} <small>from {formatPercent(threshold, 0)}</small>
            </dt>
            <dd>{fits ? 'It would bid' : 'It would not bid'}</dd>
          </div>
        ))}
        {fits && price && (
          <div>
            <dt>Bid</dt>
            <dd>{formatUsd(price.bid, 3)} per 1,000</dd>
          </div>
        )}
        {others && others.better > 0 && (
          <div>
            <dt>Outranked by</dt>
            <dd>{counted(others.better, 'other campaign')}</dd>
          </div>
        )}
      </dl>
      {others && (
        <small>
          Other advertisers’ bids are randomized here (0.7 to 1.4 times the real bid) to keep them private, so a close
          auction may end differently.
        </small>
      )}
      {own.length > 0 && <Own campaigns={own} />}
    </div>
  );
}

/** The visitor's other campaigns in the auction, with their outcomes. */
const Own = ({ campaigns }: { campaigns: MatchBody['own'] }) => (
  <>
    <h3>Your other campaigns in this conversation</h3>
    <ul class="own">
      {campaigns.map(({ campaignId, name, relevance, outcome, means, price }) => (
        <li key={campaignId}>
          <div class="row">
            <a class="strong" dir="auto" href={`/campaigns/${campaignId}`}>
              {name}
            </a>
            <StatusBadge of={outcome} />
          </div>
          <small>
            {means} {formatPercent(relevance, 0)} relevant
            {price && `, ${formatUsd(price.bid, 3)} per 1,000`}.
          </small>
        </li>
      ))}
    </ul>
  </>
);
