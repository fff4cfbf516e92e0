/** Waits; rejects with the signal's reason when that aborts. */
export type Pause = (milliseconds: number, signal: AbortSignal) => Promise<void>;
