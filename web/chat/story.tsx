import { counted, formatUsd } from '../words.ts';
import type { Happening } from './bidding.ts';
import { Candidates } from './candidates.tsx';
import { Exchanges } from './exchanges.tsx';
import { noBidInWords } from './outcome-words.ts';

/** What the service made of a conversation, in the order in which it happened. */
export function Story({ happening }: { happening: Happening }) {
  const { bid, debug, ad, clicked, performance, exchanges } = happening;
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
          <b class="price">No bid.</b> {debug && noBidInWords(debug)}
        </p>
      )}
      {debug && <Topics topics={(debug.context?.topics ?? []).filter(isOfTheWorld)} />}
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
          <blockquote>{ad.adText}</blockquote>
        </>
      )}
      {ad && (
        <>
          <h2>The click</h2>
          {clicked ? (
            <p>
              Logged with a cut IP address, answered with a redirect to the advertiser’s page
              {performance
                ? `: the campaign now counts ${counted(performance.impressions, 'impression')} and ${counted(performance.clicks, 'click')}.`
                : '.'}{' '}
              The first valid click of an impression counts; repeats, prefetches and declared crawlers are led on and
              count nothing.
            </p>
          ) : (
            <p>Click the ad in the conversation. Here you stay on this page; a reader would be led on.</p>
          )}
        </>
      )}
      <Exchanges exchanges={exchanges} />
    </>
  );
}

/** Not one of those that only say what kind of talk it is. */
const isOfTheWorld = ({ path }: { path: string }): boolean => !path.startsWith('_');

const Topics = ({ topics }: { topics: readonly { path: string; evidence: number }[] }) =>
  topics.length === 0 ? null : (
    <ul class="topics" aria-label="Topics of the conversation">
      {topics.map(({ path, evidence }) => (
        <li key={path}>
          {path} <small>{evidence}</small>
        </li>
      ))}
    </ul>
  );
