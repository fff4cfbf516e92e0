import type { Random } from '@media-jobs/testing/random';

/** Unique ids in the form of UUIDv7, which sort by time. */
export function idsFrom(random: Random): (now: Date) => string {
  let made = 0;
  return (now) => {
    const time = now.getTime().toString(16).padStart(12, '0');
    const count = (++made).toString(16).padStart(8, '0');
    const tail = Math.floor(random.next() * 0x1_0000_0000)
      .toString(16)
      .padStart(8, '0');
    const [a, b, c] = [count.slice(0, 3), count.slice(3, 6), count.slice(6)];
    return `${time.slice(0, 8)}-${time.slice(8)}-7${a}-8${b}-00${c}${tail}`;
  };
}
