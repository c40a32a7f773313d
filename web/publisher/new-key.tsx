import { useState } from 'preact/hooks';
import { parseAmount } from '../amount.ts';
import { getChanges, isChanged } from '../changes.ts';
import { FormField } from '../parts/field.tsx';
import { useFirstFocus } from '../parts/focus.ts';
import { useFormAct } from '../parts/form-act.ts';
import { useIdempotency } from '../parts/idempotency.ts';
import { Problem } from '../parts/problem.tsx';
import { useUnsaved } from '../parts/unsaved.ts';
import { useSession } from '../session.ts';
import { FloorField } from './floor-field.tsx';
import { KEY_LABELS } from './key-labels.ts';
import { areLimits, LimitFields, NO_LIMITS, toLimits } from './limits.tsx';
import { makeKey } from './make-key.ts';
import { PublicNameField, toPublicName } from './public-name-field.tsx';
import { type AdStrictness, StrictnessField } from './strictness.tsx';

interface NewKeyProps {
  onMade(secret: string): Promise<void>;
  onCancel(): void;
}

export function NewKey({ onMade, onCancel }: NewKeyProps) {
  const { ads } = useSession();
  const { isBusy, problem, faults, act, onEdit } = useFormAct(KEY_LABELS);
  const form = useFirstFocus<HTMLFormElement>('input');
  const keyFor = useIdempotency();
  const [name, setName] = useState('');
  const [publicName, setPublicName] = useState('');
  const [floor, setFloor] = useState('0');
  const [adStrictness, setStrictness] = useState<AdStrictness>('balanced');
  const [limits, setLimits] = useState(NO_LIMITS);
  const [isTest, setTest] = useState(false);
  const isNamed = name !== '' || publicName !== '';
  useUnsaved(isNamed || floor !== '0' || adStrictness !== 'balanced' || isChanged(NO_LIMITS, limits) || isTest);
  const bidFloor = parseAmount(floor);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (bidFloor.kind === 'fault' || !areLimits(limits)) return;
    act(async () => {
      const body = {
        name,
        ...(publicName.trim() !== '' && { publicName: toPublicName(publicName) }),
        bidFloor: bidFloor.kind === 'usd' ? bidFloor.usd : 0,
        mode: isTest ? ('test' as const) : ('live' as const),
        ...(adStrictness !== 'balanced' && { adStrictness }),
        ...toLimits(getChanges(NO_LIMITS, limits)),
      };
      await onMade(await makeKey(ads, body, keyFor(body)));
    });
  };
  return (
    <form class="card" ref={form} onSubmit={submit}>
      <div class="pair">
        <FormField
          name="name"
          label={KEY_LABELS.name}
          hint="Only you see it. Example: Support chat"
          fault={faults.name}
          need="required"
        >
          {(attributes) => (
            <input
              {...attributes}
              value={name}
              autocomplete="off"
              onInput={({ currentTarget }) => {
                setName(currentTarget.value);
                onEdit(['name']);
              }}
            />
          )}
        </FormField>
        <FloorField
          name="bidFloor"
          value={floor}
          fault={faults.bidFloor}
          onChange={(typed) => {
            setFloor(typed);
            onEdit(['bidFloor']);
          }}
        />
      </div>
      <PublicNameField
        value={publicName}
        fault={faults.publicName}
        onChange={(typed) => {
          setPublicName(typed);
          onEdit(['publicName']);
        }}
      />
      <LimitFields
        values={limits}
        faults={faults}
        onChange={(change) => {
          setLimits({ ...limits, ...change });
          onEdit(Object.keys(change));
        }}
      />
      <StrictnessField value={adStrictness} onChange={setStrictness} />
      <fieldset class="checks">
        <legend>Mode</legend>
        <label>
          <input type="radio" name="mode" checked={!isTest} onChange={() => setTest(false)} />
          <span>
            Live<small>Ads are charged, and you earn from them.</small>
          </span>
        </label>
        <label>
          <input type="radio" name="mode" checked={isTest} onChange={() => setTest(true)} />
          <span>
            Test<small>Returns the same ads, but earns nothing: nothing is charged or counted.</small>
          </span>
        </label>
      </fieldset>
      <Problem text={problem} />
      <div class="actions">
        <button type="submit" class="primary" aria-disabled={isBusy}>
          Create key
        </button>
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}
