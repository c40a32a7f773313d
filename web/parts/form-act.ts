import { useState } from 'preact/hooks';
import { type Faults, toFormWords } from '../errors.ts';
import { counted } from '../format.ts';
import { useAct } from './live.ts';

/**
 * Saves a form. The API's errors appear next to their fields until these change, and only other errors above the button.
 * @param labels of the fields by their path in the API
 */
export function useFormAct(labels: Readonly<Record<string, string>>) {
  const { isBusy, problem, faults: refused, act } = useAct();
  const [edited, setEdited] = useState<readonly string[]>([]);
  const isInField = Object.keys(refused).length > 0 && Object.keys(refused).every((path) => path in labels);
  const faults: Faults = Object.fromEntries(
    Object.entries(refused)
      .filter(([path]) => path in labels && !edited.includes(path))
      .map(([path, message]) => [path, toFormWords(message, labels[path]!)]),
  );
  const count = Object.keys(faults).length;
  return {
    isBusy,
    faults,
    problem: !isInField ? problem : count > 0 ? `${counted(count, 'field needs', 'fields need')} attention.` : null,
    act(what: () => Promise<unknown>) {
      setEdited([]);
      return act(what);
    },
    /** The visitor has changed these fields. */
    onEdit: (paths: readonly string[]) => setEdited((known) => [...known, ...paths]),
  };
}
