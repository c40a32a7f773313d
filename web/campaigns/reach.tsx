import { counted, formatCount } from '../format.ts';
import { Bar } from '../parts/bar.tsx';
import type { PreviewBody } from './preview.ts';

/** Smallest share of the sample that fills a bar, so that the bars of a low reach stay short. */
const MIN_SCALE = 0.05;

interface ReachProps {
  reach: PreviewBody['reach'];
  keywords: readonly string[];
  onAdd(keyword: string): void;
}

/** How many conversations of a sample the campaign and its keywords reach, and which phrases would reach more. */
export function Reach({ reach: { conversations, campaign, keywords: reached }, keywords, onAdd }: ReachProps) {
  const most = Math.max(MIN_SCALE * conversations, ...reached.map((keyword) => keyword.conversations));
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
