import type { MeasuredSlowness, SlownessStore } from '@media-jobs/video/cost-model';

/** What the workers of a stage measured, in memory. */
export function memorySlowness(known: MeasuredSlowness = {}): SlownessStore {
  let value = known;
  return {
    read: async () => value,
    write: async (name, slowness) => {
      value = { ...value, [name]: slowness };
    },
  };
}
