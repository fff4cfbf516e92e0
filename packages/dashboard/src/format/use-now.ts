import { useSyncExternalStore } from 'react';

let now = Date.now();
const listeners = new Set<() => void>();

setInterval(() => {
  now = Date.now();
  for (const listener of listeners) listener();
}, 15_000);

/** The current time in Unix milliseconds, updated every 15 seconds. All components share one timer. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
