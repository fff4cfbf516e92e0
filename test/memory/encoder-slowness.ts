import type { EncoderSlowness } from '../../core/cost-model/cost-table.ts';
import type { SlownessStore } from '../../core/cost-model/encoder-slowness.ts';

/** What the workers of a stage measured, in memory. */
export function memorySlowness(known: EncoderSlowness = {}): SlownessStore {
  let value = known;
  return {
    read: async () => value,
    write: async (encoder, slowness) => {
      value = { ...value, [encoder]: slowness };
    },
  };
}
