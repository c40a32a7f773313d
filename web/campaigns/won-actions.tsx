import { toProblem } from '../errors.ts';
import { useAct } from '../parts/live.ts';
import { FailureText } from '../parts/problem.tsx';
import { useSession } from '../session.ts';
import type { CampaignBody } from './bodies.ts';

type List = 'keywords' | 'excludedKeywords';
const LISTS = ['keywords', 'excludedKeywords'] as const;
type Lists = Pick<CampaignBody['targetAudience'], List>;

const toWords = (text: string): string => text.trim().replaceAll(/\s+/g, ' ').toLowerCase();

/** The list that has a term, in any case of its letters. */
const findList = (lists: Lists, term: string): List | null =>
  LISTS.find((list) => lists[list].some((one) => toWords(one) === toWords(term))) ?? null;

/** The lists that change if a term moves to one of them, or is in none. */
function move(lists: Lists, term: string, to: List | null): Partial<Lists> {
  const changed: Partial<Lists> = {};
  for (const list of LISTS) {
    const others = lists[list].filter((one) => toWords(one) !== toWords(term));
    const wanted = list === to ? [...others, term] : others;
    if (wanted.length !== lists[list].length) changed[list] = wanted;
  }
  return changed;
}

interface TermActionsProps {
  campaign: Pick<CampaignBody, 'id' | 'targetAudience'>;
  term: string;
  onSaved(saved: CampaignBody): void;
}

/** Adds a term to a campaign's keywords or to its excluded keywords, says that it is there, or includes it again. */
export function TermActions({ campaign, term, onSaved }: TermActionsProps) {
  const { ads, toasts } = useSession();
  const { isBusy, problem, act } = useAct();
  const params = { id: campaign.id };
  const now = findList(campaign.targetAudience, term);
  const change = async (to: List | null) => {
    // The page may show old lists.
    const { targetAudience } = await ads('GET /api/v1/campaigns/{id}', { params });
    onSaved(
      await ads('PATCH /api/v1/campaigns/{id}', { params, body: { targetAudience: move(targetAudience, term, to) } }),
    );
  };
  const undo = () =>
    change(now).then(
      () => toasts.show('Undone'),
      (error) => toasts.show(toProblem(error, true), { isProblem: true }),
    );
  const put = (to: List | null, done: string) =>
    act(async () => {
      await change(to);
      toasts.show(`“${term}” ${done}`, { action: { label: 'Undo', run: undo } });
    });
  return (
    <span class="part">
      {now === 'keywords' && <small class="tag">In keywords</small>}
      {now === 'excludedKeywords' && <small class="tag">Excluded</small>}
      {now === null && (
        <button
          type="button"
          class="inline"
          aria-disabled={isBusy}
          aria-label={`Add as keyword: ${term}`}
          onClick={() => put('keywords', 'added to the keywords')}
        >
          Add as keyword
        </button>
      )}
      {now === 'excludedKeywords' ? (
        <button
          type="button"
          class="inline"
          aria-disabled={isBusy}
          aria-label={`Include: ${term}`}
          onClick={() => put(null, 'included again')}
        >
          Include
        </button>
      ) : (
        <button
          type="button"
          class="inline"
          aria-disabled={isBusy}
          aria-label={`Exclude: ${term}`}
          onClick={() => put('excludedKeywords', 'excluded')}
        >
          Exclude
        </button>
      )}
      {problem && (
        <small class="fault" role="alert">
          <FailureText of={problem} />
        </small>
      )}
    </span>
  );
}
