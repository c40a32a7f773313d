import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { AdsError } from '../../packages/client/src/index.ts';
import { isChanged } from '../changes.ts';
import { type Faults, faultsOf } from '../errors.ts';
import { useAct } from '../parts/live.ts';
import { useUnsaved } from '../parts/unsaved.ts';
import type { CampaignBody, NewCampaign } from './bodies.ts';
import type { FormPart } from './form-fields.tsx';
import { campaignBodyOf, check, type FormValues } from './form-values.ts';

/** A button of the form: what it says, and what it does with the body; resolves to the campaign's id. */
export interface FormDeed {
  says: string;
  save(body: NewCampaign): Promise<string>;
}

/** What is typed, what is wrong with it, and how it is saved. What is wrong is said once its field was left, or a save was tried. */
export function useForm(start: FormValues, before: CampaignBody | undefined) {
  const { route, query } = useLocation();
  const [values, setValues] = useState(start);
  const [left, setLeft] = useState<readonly string[]>([]);
  const [refused, setRefused] = useState<Faults>({});
  const { isBusy, problem, act } = useAct();
  const saved = useUnsaved(isChanged(start, values));
  const all = check(values, before);
  const faults = { ...refused, ...Object.fromEntries(Object.entries(all).filter(([path]) => left.includes(path))) };

  // A link may lead to the field that wants to be changed.
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
        const id = await deed.save(campaignBodyOf(values, before));
        saved();
        route(`/campaigns/${id}`);
      } catch (error) {
        if (!(error instanceof AdsError)) throw error;
        const wrongNow = faultsOf(error.code === 'conflict' ? conflictOf(error) : error.details);
        setRefused(wrongNow);
        showFirst(Object.keys(wrongNow));
        throw error;
      }
    });
  };
  return { part, isBusy, problem, save };
}

/** The field that a conflict is about: a name that another campaign has, or a budget that somebody else changed. */
function conflictOf({ message, details: [budget] }: AdsError) {
  if (!budget) return [{ path: 'name', message }];
  return [{ path: 'budget', message: `${budget.message}. Save again to set yours.` }];
}

/** Leads to the first field that is wrong, once it is marked. */
function showFirst(paths: readonly string[]): void {
  requestAnimationFrame(() => {
    const fields = paths.flatMap((path) => document.getElementById(`field-${path}`) ?? []);
    fields.sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_PRECEDING ? 1 : -1))[0]?.focus();
  });
}
