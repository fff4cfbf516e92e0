import { useSyncExternalStore } from 'react';

const everyMs = 15_000;
let now = Date.now();

/** The time, to a quarter of a minute: enough for ages, and one timer for all of them. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, everyMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}
