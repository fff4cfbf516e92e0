/** A time limit that runs from the moment it is told to begin; without seconds it never expires. */
export type TimeLimit = {
  begin(): void;
  end(): void;
  /** Never resolves; rejects when the time is over. */
  expired: Promise<never>;
};

/** @param error made when the time is over */
export function timeLimit(seconds: number | undefined, error: () => Error): TimeLimit {
  const { promise: expired, reject } = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  return {
    begin() {
      if (seconds !== undefined) timer = setTimeout(() => reject(error()), seconds * 1000);
    },
    end: () => clearTimeout(timer),
    expired,
  };
}
