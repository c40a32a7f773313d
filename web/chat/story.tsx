import { counted, formatUsd } from '../format.ts';
import { Skeleton } from '../parts/skeleton.tsx';
import type { Exchange } from '../session.ts';
import type { ClickResult, Happening } from './bidding.ts';
import type { Debug } from './bodies.ts';
import { Candidates } from './candidates.tsx';
import { explainNoBid } from './outcomes.ts';

interface StoryProps {
  happening: Happening | null;
  problem: string | null;
}

/** Explains what the service did with a conversation, in chronological order. */
export function Story({ happening, problem }: StoryProps) {
  if (!happening) {
    return (
      <>
        <h2>The bid</h2>
        {problem ? <p>None: the request was rejected.</p> : <Skeleton of="the bid" lines={4} />}
      </>
    );
  }
  const { bid, debug, ad, click, isRejected, exchanges } = happening;
  return (
    <>
      <h2>The bid</h2>
      {bid ? (
        <p>
          <b class="price">{formatUsd(bid.bid, 3)}</b> for a thousand impressions, so {formatUsd(bid.bid / 1000, 6)} for
          this one. It is valid for five minutes.
        </p>
      ) : (
        <p>
          <b class="price">No bid.</b> {debug && explainNoBid(debug)}
        </p>
      )}
      {debug && <Topics debug={debug} />}
      {debug && debug.candidates.length > 0 && (
        <>
          <h2>Why this campaign, and not another</h2>
          <Candidates candidates={debug.candidates} />
        </>
      )}
      {ad && (
        <>
          <h2>The ad</h2>
          <p>
            Fetching the ad counts as the impression. It is charged once, even if it is fetched again. As plain text:
          </p>
          <blockquote dir="auto">{ad.adText}</blockquote>
          <h2>The click</h2>
          <p>
            {click
              ? explainClick(click)
              : isRejected
                ? 'None: the reader found the ad not relevant. Reports count this once, except for test keys.'
                : 'Click the ad in the conversation. You stay on this page; a reader would go to the advertiser’s page.'}
          </p>
        </>
      )}
      <Exchanges exchanges={exchanges} />
    </>
  );
}

function explainClick(click: ClickResult): string {
  switch (click.kind) {
    case 'counted': {
      const { impressions, clicks } = click.performance;
      return `Counted, and redirected to the advertiser’s page. The campaign now has ${counted(impressions, 'impression')} and ${counted(clicks, 'click')}.`;
    }
    case 'hidden':
      return 'Counted, and redirected to the advertiser’s page. Only the campaign’s owner can see its figures.';
    case 'pending':
      return 'Counted, and redirected to the advertiser’s page. The campaign’s figures will show it shortly.';
    case 'test':
      return 'Redirected, but not counted: the ad came from a test key.';
    case 'repeat':
      return 'Redirected, but not counted again: only the first valid click of an impression counts.';
    case 'head':
      return 'Redirected, but not counted: it was a HEAD request, which no person sees.';
    case 'prefetch':
      return 'Redirected, but not counted: it was a prefetch, which a browser makes before anyone clicks.';
    case 'bot':
      return 'Redirected, but not counted: your browser identifies itself as a crawler or link preview.';
    case 'unknown':
      return 'Redirected. We could not check whether it was counted.';
  }
}

function Topics({ debug }: { debug: Debug }) {
  const topics = debug.context?.topics ?? [];
  return topics.length === 0 ? null : (
    <ul class="words" aria-label="Topics of the conversation">
      {topics.map(({ path }) => (
        <li key={path}>{path}</li>
      ))}
    </ul>
  );
}

const Exchanges = ({ exchanges }: { exchanges: readonly Exchange[] }) => (
  <details class="exchanges">
    <summary>API requests</summary>
    <ol>
      {exchanges.map(({ request, status, ms, requestId }, index) => (
        <li key={index}>
          <code>{request}</code> {status}, {ms} ms{requestId && <small> {requestId}</small>}
        </li>
      ))}
    </ol>
  </details>
);
