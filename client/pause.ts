/** Waits; rejects with the signal's reason when that aborts. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>;
