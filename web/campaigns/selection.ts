import { useCallback, useRef, useState } from 'preact/hooks';
import type { Summary } from './bodies.ts';

export type Select = (ids: readonly string[], isOn: boolean) => void;

/** The selected campaigns of the list, by ID. @param shown the rows, for a range that ends with a click while Shift is held */
export function useSelection(shown: readonly Summary[]) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const rows = useRef(shown);
  rows.current = shown;
  const last = useRef<string | null>(null);
  const select = useCallback<Select>((ids, isOn) => {
    setSelected((known) => {
      const next = new Set(known);
      for (const id of ids) isOn ? next.add(id) : next.delete(id);
      return next;
    });
  }, []);
  // Stable, because rows that have not changed keep it.
  const onPick = useCallback((id: string, isOn: boolean, isRange: boolean) => {
    const ids = rows.current.map((row) => row.id);
    const start = isRange && last.current ? ids.indexOf(last.current) : -1;
    const end = ids.indexOf(id);
    select(start < 0 ? [id] : ids.slice(Math.min(start, end), Math.max(start, end) + 1), isOn);
    last.current = id;
  }, []);
  return { selected, select, onPick };
}
