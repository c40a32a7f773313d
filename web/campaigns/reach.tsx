import { counted, formatCount } from '../format.ts';
import { Bar } from '../parts/bar.tsx';
import type { PreviewBody } from './preview.ts';

/** What fills a bar at least, as a part of the sample: where every keyword reaches little, the bars are short. */
const LEAST_WHOLE = 0.05;

interface ReachProps {
  reach: PreviewBody['reach'];
  keywords: readonly string[];
  onAdd(keyword: string): void;
}

/** How many conversations of a sample a campaign and its keywords reach, and what would reach more. */
export function Reach({ reach: { conversations, campaign, keywords: reached }, keywords, onAdd }: ReachProps) {
  const most = Math.max(LEAST_WHOLE * conversations, ...reached.map((keyword) => keyword.conversations));
  return (
    <>
      <p>
        It fits <b>{counted(campaign, 'conversation')}</b> of a sample of {formatCount(conversations)} over all topics.
      </p>
      <ul class="bars">
        {reached.map(({ keyword, conversations: own, add, hint }) => (
          <li key={keyword}>
            <div class="row">
              <bdi>{keyword}</bdi>
              <span>
                {formatCount(own)} of {formatCount(conversations)}
              </span>
            </div>
            <Bar label={`Reach of ${keyword}, compared with the widest`} part={own} whole={most} />
            {hint && <small>{hint}</small>}
            <Additions words={add.filter((word) => !keywords.includes(word))} onAdd={onAdd} />
          </li>
        ))}
      </ul>
    </>
  );
}

const Additions = ({ words, onAdd }: { words: readonly string[]; onAdd(word: string): void }) =>
  words.length === 0 ? null : (
    <fieldset class="suggestions" aria-label="Keywords that reach more">
      {words.map((word) => (
        <button key={word} type="button" class="small" onClick={() => onAdd(word)}>
          <span aria-hidden="true">+ </span>
          {word}
        </button>
      ))}
    </fieldset>
  );
