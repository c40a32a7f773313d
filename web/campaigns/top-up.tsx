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
  campaign: CampaignBody;
  onDone(): Promise<void>;
  onClose(): void;
}

/** Adds to a campaign's budget. */
export function TopUp({ campaign: { id, budget, spentBudget }, onDone, onClose }: TopUpProps) {
  const { ads } = useSession();
  const { isBusy, problem, act } = useAct();
  const [text, setText] = useState('100');
  const typed = amountOf(text);
  const amount = typed.kind === 'usd' ? typed.usd : 0;
  const isAmount = amount > 0;
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!isAmount) return;
    const isDone = await act(async () => {
      // Added to the budget as it is now: another page may have changed it since this one asked.
      const now = await ads('GET /api/v1/campaigns/{id}', { params: { id } });
      // Rounded to whole micro-dollars, as money is kept.
      const sum = Math.round((now.budget + amount) * 1e6) / 1e6;
      await ads('PATCH /api/v1/campaigns/{id}', { params: { id }, body: { budget: sum } });
      await onDone();
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
          hint={isAmount ? `The budget becomes ${formatUsd(budget + amount)}.` : undefined}
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
