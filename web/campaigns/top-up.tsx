import { useState } from 'preact/hooks';
import { parseAmount } from '../amount.ts';
import { formatUsd } from '../format.ts';
import { Dialog } from '../parts/dialog.tsx';
import { FormField } from '../parts/field.tsx';
import { useAct, useLive } from '../parts/live.ts';
import { Problem } from '../parts/problem.tsx';
import { useSession } from '../session.ts';
import type { CampaignBody } from './bodies.ts';

const STEPS = [50, 100, 500];

/** Whether an amount may be a typing error: over $10,000, or, beyond the steps above, over ten times the budget. */
const isUnusual = (amount: number, budget: number): boolean =>
  amount > 10_000 || (amount > Math.max(...STEPS) && amount > 10 * budget);

interface TopUpProps {
  campaign: Pick<CampaignBody, 'id' | 'budget' | 'spentBudget'>;
  onSaved(saved: CampaignBody): void;
  /** Reloads the campaign, which may have been changed nevertheless. */
  onFailed(): Promise<void>;
  onClose(): void;
}

/** Rounds to whole micro-dollars, as the service does. */
const addUsd = (budget: number, amount: number): number => Math.round((budget + amount) * 1e6) / 1e6;

/** The campaign's budget. Reread after each failure: the top-up may have succeeded, or someone else changed the budget. */
function useBudget({ id, ...shown }: TopUpProps['campaign']) {
  const { ads } = useSession();
  const [failures, setFailures] = useState(0);
  const read = useLive(
    async () => ({ failures, ...(await ads('GET /api/v1/campaigns/{id}', { params: { id } })) }),
    [ads, id, failures],
    null,
  );
  const { budget, spentBudget } = read.value ?? shown;
  const change = async (sum: number) => {
    try {
      return await ads('PATCH /api/v1/campaigns/{id}', {
        params: { id },
        body: { budget: sum, expectedBudget: budget },
      });
    } catch (error) {
      setFailures(failures + 1);
      throw error;
    }
  };
  return { budget, spentBudget, isRead: read.value?.failures === failures, unread: read.problem, change };
}

export function TopUp({ campaign, onSaved, onFailed, onClose }: TopUpProps) {
  const { budget, spentBudget, isRead, unread, change } = useBudget(campaign);
  const { toasts } = useSession();
  const { isBusy, problem, act } = useAct();
  const [text, setText] = useState('100');
  const typed = parseAmount(text);
  const amount = typed.kind === 'usd' ? typed.usd : 0;
  const sum = addUsd(budget, amount);
  const isAmount = sum > budget;
  const mustConfirm = isAmount && isUnusual(amount, budget);
  const [confirmed, setConfirmed] = useState<number | null>(null);
  const isReady = isAmount && isRead && (!mustConfirm || confirmed === amount);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!isReady) return;
    if (!(await act(async () => onSaved(await change(sum))))) return void onFailed();
    onClose();
    toasts.show(`Budget added: ${formatUsd(amount)}`);
  };
  return (
    <Dialog title="Add budget" onClose={onClose}>
      <p>
        {formatUsd(spentBudget)} of {formatUsd(budget)} is spent. A campaign that paused because its budget was spent
        resumes automatically.
      </p>
      <Problem text={problem ?? unread} />
      <form onSubmit={submit}>
        <FormField
          name="amount"
          label="Amount to add, USD"
          hint={isAmount ? `The budget becomes ${formatUsd(sum)}.` : undefined}
          fault={isAmount ? undefined : typed.kind === 'fault' ? typed.says : 'Enter an amount.'}
        >
          {(attributes) => (
            <input
              {...attributes}
              inputMode="decimal"
              autocomplete="off"
              value={text}
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
          )}
        </FormField>
        <div class="actions">
          {STEPS.map((step) => (
            <button key={step} type="button" class="small" onClick={() => setText(String(step))}>
              {formatUsd(step, 0)}
            </button>
          ))}
        </div>
        {mustConfirm && (
          <div class="checks" role="status">
            <label>
              <input
                type="checkbox"
                checked={confirmed === amount}
                onChange={() => setConfirmed(confirmed === amount ? null : amount)}
              />
              <span>
                Yes, add {formatUsd(amount)}
                <small>This is an unusually large amount. The budget is {formatUsd(budget)} now.</small>
              </span>
            </label>
          </div>
        )}
        <div class="actions end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" aria-disabled={isBusy || !isReady}>
            Add
          </button>
        </div>
      </form>
    </Dialog>
  );
}
