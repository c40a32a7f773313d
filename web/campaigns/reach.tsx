import { Bar } from '../parts/bar.tsx';
import { counted, formatCount } from '../words.ts';
import type { PreviewBody } from './preview.ts';

interface ReachProps {
  reach: PreviewBody['reach'];
  keywords: readonly string[];
  onAdd(keyword: string): void;
}

/** How many conversations of a sample a campaign and its keywords reach, and what would reach more. */
export function Reach({ reach: { conversations, campaign, keywords: reached }, keywords, onAdd }: ReachProps) {
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
              <span>{formatCount(own)}</span>
            </div>
            <Bar label={`Reach of ${keyword}`} part={own} whole={Math.max(campaign, own)} />
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
