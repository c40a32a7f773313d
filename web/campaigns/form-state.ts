import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { AdsError } from '../../packages/client/src/index.ts';
import { isChanged } from '../changes.ts';
import { type Faults, toFaults, toFormWords } from '../errors.ts';
import { useAct } from '../parts/live.ts';
import { useUnsaved } from '../parts/unsaved.ts';
import type { CampaignBody, NewCampaign } from './bodies.ts';
import { check } from './check.ts';
import type { FormPart } from './form-fields.tsx';
import { type FormValues, toCampaignBody } from './form-values.ts';
import { getLabel } from './labels.ts';
import { findReviewFaults, useReview } from './review.ts';

/** A button of the form: its label, what it requires, and its action, which resolves to the campaign's ID. */
export interface FormDeed {
  says: string;
  check(values: FormValues): Faults;
  /** Whether the campaign is active afterwards with an ad that the service has not reviewed yet. */
  needsReview(body: NewCampaign): boolean;
  save(body: NewCampaign): Promise<string>;
}

/**
 * The form's values, errors, and saving. Errors appear after the visitor leaves a field or tries to save.
 * @param deeds the buttons; a link to launch the campaign tries the first one
 */
export function useForm(
  start: FormValues,
  before: CampaignBody | undefined,
  deeds: readonly [FormDeed, ...FormDeed[]],
) {
  const { route, query } = useLocation();
  const [values, setValues] = useState(start);
  const [left, setLeft] = useState<readonly string[]>([]);
  const [refused, setRefused] = useState<Faults>(() => (before ? findReviewFaults(before.serving) : {}));
  const [unknown, setUnknown] = useState<Faults>({});
  /** The button that was pushed last. Until then, only what every button requires is an error. */
  const [tried, setTried] = useState<FormDeed | null>(null);
  /** Whether the service's last errors belong to fields, so that they are not repeated above the buttons. */
  const [isInField, setInField] = useState(false);
  const { isBusy, problem, act } = useAct();
  const saved = useUnsaved(isChanged(start, values));
  const { keepReview, review } = useReview();
  const all = { ...(tried?.check ?? ((typed) => check(typed, before)))(values), ...unknown };
  const faults: Faults = {
    ...refused,
    ...Object.fromEntries(Object.entries(all).filter(([path]) => left.includes(path))),
  };

  // The page's URL may name the field to focus, or ask for what the campaign lacks.
  useEffect(() => {
    if (query.field) document.getElementById(`field-${query.field}`)?.focus();
    if (query.launch) show(deeds[0]);
  }, []);

  /** Shows what is wrong for the button, and focuses the first such field. Returns whether something is. */
  const show = (deed: FormDeed): boolean => {
    const wrong = Object.keys({ ...deed.check(values), ...unknown });
    setTried(deed);
    setLeft(wrong);
    if (wrong.length > 0) showFirst([...wrong, ...Object.keys(refused)]);
    return wrong.length > 0;
  };

  const part: FormPart = {
    values,
    faults,
    onChange(change) {
      setValues((known) => ({ ...known, ...change }));
      setRefused({});
    },
    onUnknown: (path, fault) =>
      setUnknown(({ [path]: old = null, ...others }) => (fault === null ? others : { ...others, [path]: fault })),
    onReviewed: keepReview,
    onLeave: (path) => setLeft((known) => [...new Set([...known, path])]),
  };
  const setWrong = (wrong: Faults) => {
    setRefused(wrong);
    showFirst(Object.keys(wrong));
  };
  const save = (deed: FormDeed) => {
    if (show(deed)) return undefined;
    setInField(false);
    return act(async () => {
      try {
        const body = toCampaignBody(values, before);
        const found = deed.needsReview(body) ? await review(body) : {};
        if (Object.keys(found).length > 0) return setWrong(found);
        const id = await deed.save(body);
        saved();
        route(`/campaigns/${id}`);
      } catch (error) {
        if (!(error instanceof AdsError)) throw error;
        const wrongNow = explainRefusal(error);
        setWrong(wrongNow);
        setInField(Object.keys(wrongNow).some((path) => document.getElementById(`field-${path}`)));
        throw error;
      }
    });
  };
  return {
    part,
    isBusy,
    problem: isInField ? null : problem,
    wrongCount: tried ? Object.keys(faults).length : 0,
    save,
  };
}

/** The fields that the service rejected, and why, in the words of the form. */
function explainRefusal(error: AdsError): Faults {
  if (error.code === 'conflict') return toFaults(findConflictField(error));
  const faults = Object.entries(toFaults(error.details));
  return Object.fromEntries(faults.map(([path, message]) => [path, toFormWords(message, getLabel(path))]));
}

/** The field that caused a conflict: a duplicate name, or a budget that was changed meanwhile. */
function findConflictField({ message, details: [budget] }: AdsError) {
  if (!budget) return [{ path: 'name', message }];
  return [{ path: 'budget', message: `${message}. ${budget.message}. Save again to set yours.` }];
}

/** Focuses the first invalid field, after it has been rendered as invalid. */
function showFirst(paths: readonly string[]): void {
  requestAnimationFrame(() => {
    const fields = paths.flatMap((path) => document.getElementById(`field-${path}`) ?? []);
    fields.sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_PRECEDING ? 1 : -1))[0]?.focus();
  });
}
