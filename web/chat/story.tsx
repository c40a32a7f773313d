import { counted, formatUsd } from '../format.ts';
import { Skeleton } from '../parts/skeleton.tsx';
import type { ClickResult, Happening } from './bidding.ts';
import type { Debug } from './bodies.ts';
import { Candidates } from './candidates.tsx';
import { Exchanges } from './exchanges.tsx';
import { explainNoBid } from './outcomes.ts';

interface StoryProps {
  happening: Happening | null;
  problem: string | null;
}

/** What the service made of a conversation, in the order in which it happened. */
export function Story({ happening, problem }: StoryProps) {
  if (!happening) {
    return (
      <>
        <h2>The bid</h2>
        {problem ? <p>There is none: the request was refused.</p> : <Skeleton of="the bid" lines={4} />}
      </>
    );
  }
  const { bid, debug, ad, click, exchanges } = happening;
  return (
    <>
      <h2>The bid</h2>
      {bid ? (
        <p>
          <b class="price">{formatUsd(bid.bid, 3)}</b> for a thousand impressions, so {formatUsd(bid.bid / 1000, 6)} for
          this one. It is good for five minutes.
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
            Fetching it was the impression: it is charged once, however often it is fetched. As plain text it reads:
          </p>
          <blockquote dir="auto">{ad.adText}</blockquote>
          <h2>The click</h2>
          <p>
            {click
              ? explainClick(click)
              : 'Click the ad in the conversation. Here you stay on this page; a reader would be led on.'}
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
      return `Counted, and led on to the advertiser’s page: the campaign now has ${counted(impressions, 'impression')} and ${counted(clicks, 'click')}.`;
    }
    case 'not to be seen':
      return 'It counts, and led on to the advertiser’s page. What the campaign has now is told to its owner alone, who is another user than you.';
    case 'late':
      return 'It counts, and led on to the advertiser’s page. The campaign’s figures do not say so yet.';
    case 'test':
      return 'Led on, but not counted: the ad was won with a test key.';
    case 'repeat':
      return 'Led on, but not counted again: it is a repeat, and the first valid click of an impression is the one that counts.';
    case 'head':
      return 'Led on, but not counted: it was a HEAD request, which asks where a link leads and shows it to nobody.';
    case 'prefetch':
      return 'Led on, but not counted: it was a prefetch, which a browser makes before anybody has clicked.';
    case 'bot':
      return 'Led on, but not counted: your browser calls itself a crawler or a link preview.';
    case 'untold':
      return 'Led on. Whether it was counted could not be asked just now.';
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
