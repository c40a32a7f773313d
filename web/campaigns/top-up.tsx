import { useState } from 'preact/hooks';
import { amountOf } from '../amount.ts';
import { Dialog } from '../parts/dialog.tsx';
import { FormField } from '../parts/field.tsx';
import { useAct } from '../parts/live.ts';
import { Problem } from '../parts/problem.tsx';
import { useSession } from '../session.ts';
import { formatUsd } from '../words.ts';
import type { CampaignBody } from './bodies.ts';

const STEPS = [50, 100, 500];

interface TopUpProps {
  campaign: Pick<CampaignBody, 'id' | 'budget' | 'spentBudget'>;
  onDone(): Promise<void>;
  onClose(): void;
}

/** Rounded to whole micro-dollars, as money is kept. */
const sumOf = (budget: number, amount: number): number => Math.round((budget + amount) * 1e6) / 1e6;

/** Adds to a campaign's budget. */
export function TopUp({ campaign: { id, budget, spentBudget }, onDone, onClose }: TopUpProps) {
  const { ads } = useSession();
  const { isBusy, problem, act } = useAct();
  const [text, setText] = useState('100');
  const typed = amountOf(text);
  const amount = typed.kind === 'usd' ? typed.usd : 0;
  const isAmount = amount > 0;
  // What the budget shall become is settled when it is asked for: after a lost answer the same sum is sent again, so it is added once.
  const [asked, setAsked] = useState<{ amount: number; sum: number } | null>(null);
  const askedSum = asked?.amount === amount ? asked.sum : null;
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!isAmount) return;
    const isDone = await act(async () => {
      // Added to the budget as it is now: another page may have changed it since this one asked.
      const sum = askedSum ?? sumOf((await ads('GET /api/v1/campaigns/{id}', { params: { id } })).budget, amount);
      setAsked({ amount, sum });
      await ads('PATCH /api/v1/campaigns/{id}', { params: { id }, body: { budget: sum } }).finally(onDone);
    });
    if (isDone) onClose();
  };
  return (
    <Dialog title="Add budget" onClose={onClose}>
      <p>
        {formatUsd(spentBudget)} of {formatUsd(budget)} is spent. A campaign that was paused because its budget was
        spent goes on by itself.
      </p>
      <Problem text={problem} />
      <form onSubmit={submit}>
        <FormField
          name="amount"
          label="Amount to add, USD"
          hint={isAmount ? `The budget becomes ${formatUsd(askedSum ?? budget + amount)}.` : undefined}
          fault={isAmount ? undefined : typed.kind === 'fault' ? typed.says : 'Say how much, such as 100.'}
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
        <div class="actions end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" aria-disabled={isBusy || !isAmount}>
            Add
          </button>
        </div>
      </form>
    </Dialog>
  );
}
