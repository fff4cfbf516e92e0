const excerpts = 32;
const rounds = 5;

/** A hostile text: `first`, then `repeated` up to the length. */
type HostileText = { first?: string; repeated: string; length: number };

/**
 * The time of reading a hostile text, over that of reading it in 32 excerpts: about 1 if the time grows with the length, 32 if
 * it grows with its square. Each is the least of five rounds, so that the load of the machine hardly counts.
 */
export function timeOverExcerpts(read: (text: string) => void, { first = '', repeated, length }: HostileText): number {
  const text = (characters: number) => first + repeated.repeat(characters / repeated.length);
  const [excerpt, whole] = [text(length / excerpts), text(length)];
  const inExcerpts = () => {
    for (let count = 0; count < excerpts; count += 1) read(excerpt);
  };
  return minMs(() => read(whole)) / minMs(inExcerpts);
}

function minMs(act: () => void): number {
  const times = Array.from({ length: rounds }, () => {
    const beganMs = performance.now();
    act();
    return performance.now() - beganMs;
  });
  return Math.min(...times);
}
