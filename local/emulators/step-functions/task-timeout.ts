/** A time limit that runs from the moment it is told to begin; without seconds it never expires. */
export type TaskTimeout = {
  start(): void;
  clear(): void;
  /** Never resolves; rejects when the time is over. */
  expired: Promise<never>;
};

/** @param error made when the time is over */
export function taskTimeout(seconds: number | undefined, error: () => Error): TaskTimeout {
  const { promise: expired, reject } = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  return {
    start() {
      if (seconds !== undefined) timer = setTimeout(() => reject(error()), seconds * 1000);
    },
    clear: () => clearTimeout(timer),
    expired,
  };
}
