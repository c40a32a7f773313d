const STORED = 'deleted';
/** A deletion that was sent when the visitor left or reloaded the desk has taken effect by then. */
const KEPT_MS = 60_000;

/** The IDs of what is deleted, or will be unless the visitor undoes it. */
interface Hidden {
  has(id: string): boolean;
  add(id: string): void;
  delete(id: string): void;
}

/** Kept for a minute in the tab, so that a reload shows nothing whose deletion is still on its way. */
export function createHidden(): Hidden {
  const now = Date.now();
  const recent: [id: string, at: number][] = JSON.parse(sessionStorage.getItem(STORED) ?? '[]');
  const hidden = new Map(recent.filter(([, at]) => now - at < KEPT_MS));
  const earlier = new Set(hidden.keys());
  const keep = () => sessionStorage.setItem(STORED, JSON.stringify([...hidden]));
  return {
    // If the deletion never arrived, what an earlier page has hidden is still there.
    has(id) {
      const at = hidden.get(id);
      return at !== undefined && !(earlier.has(id) && Date.now() - at >= KEPT_MS);
    },
    add(id) {
      earlier.delete(id);
      hidden.set(id, Date.now());
      keep();
    },
    delete(id) {
      hidden.delete(id);
      keep();
    },
  };
}
