import { useEffect, useState } from 'preact/hooks';

/** How the service has answered last: as it should, not at all, with a failure, or that nobody is signed in. */
export type Condition = 'well' | 'unreachable' | 'failing' | 'signed out';

export interface Health {
  now(): Condition;
  report(condition: Condition): void;
  /** Calls whenever it changes; gives the way to stop that. */
  watch(call: () => void): () => void;
}

export function createHealth(): Health {
  let current: Condition = 'well';
  const watchers = new Set<() => void>();
  return {
    now: () => current,
    report(condition) {
      if (condition === current) return;
      current = condition;
      for (const call of watchers) call();
    },
    watch(call) {
      watchers.add(call);
      return () => watchers.delete(call);
    },
  };
}

export function useHealth(health: Health): Condition {
  const [condition, setCondition] = useState(health.now());
  useEffect(() => health.watch(() => setCondition(health.now())), [health]);
  return condition;
}
