import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { AdsError } from '../../packages/client/src/index.ts';
import { isChanged } from '../changes.ts';
import { type Faults, toFaults } from '../errors.ts';
import { useAct } from '../parts/live.ts';
import { useUnsaved } from '../parts/unsaved.ts';
import type { CampaignBody, NewCampaign } from './bodies.ts';
import type { FormPart } from './form-fields.tsx';
import { check, type FormValues, toCampaignBody } from './form-values.ts';

/** A button of the form: its label and its action, which resolves to the campaign's ID. */
export interface FormDeed {
  says: string;
  save(body: NewCampaign): Promise<string>;
}

/** The form's values, errors, and saving. Errors appear after the visitor leaves a field or tries to save. */
export function useForm(start: FormValues, before: CampaignBody | undefined) {
  const { route, query } = useLocation();
  const [values, setValues] = useState(start);
  const [left, setLeft] = useState<readonly string[]>([]);
  const [refused, setRefused] = useState<Faults>({});
  const { isBusy, problem, act } = useAct();
  const saved = useUnsaved(isChanged(start, values));
  const all = check(values, before);
  const faults = { ...refused, ...Object.fromEntries(Object.entries(all).filter(([path]) => left.includes(path))) };

  // The page's URL may name the field to focus.
  useEffect(() => {
    if (query.field) document.getElementById(`field-${query.field}`)?.focus();
  }, []);

  const part: FormPart = {
    values,
    faults,
    onChange(change) {
      setValues((known) => ({ ...known, ...change }));
      setRefused({});
    },
    onLeave: (path) => setLeft((known) => [...new Set([...known, path])]),
  };
  const save = (deed: FormDeed) => {
    const wrong = Object.keys(all);
    setLeft(wrong);
    if (wrong.length > 0) return showFirst(wrong);
    return act(async () => {
      try {
        const id = await deed.save(toCampaignBody(values, before));
        saved();
        route(`/campaigns/${id}`);
      } catch (error) {
        if (!(error instanceof AdsError)) throw error;
        const wrongNow = toFaults(error.code === 'conflict' ? findConflictField(error) : error.details);
        setRefused(wrongNow);
        showFirst(Object.keys(wrongNow));
        throw error;
      }
    });
  };
  return { part, isBusy, problem, save };
}

/** The field that caused a conflict: a duplicate name, or a budget that was changed meanwhile. */
function findConflictField({ message, details: [budget] }: AdsError) {
  if (!budget) return [{ path: 'name', message }];
  return [{ path: 'budget', message: `${budget.message}. Save again to set yours.` }];
}

/** Focuses the first invalid field, after it has been rendered as invalid. */
function showFirst(paths: readonly string[]): void {
  requestAnimationFrame(() => {
    const fields = paths.flatMap((path) => document.getElementById(`field-${path}`) ?? []);
    fields.sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_PRECEDING ? 1 : -1))[0]?.focus();
  });
}
