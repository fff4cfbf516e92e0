import { EncodeError } from '../../core/media/encode-error.ts';
import type { Encoder, RunRecord } from '../../core/media/ports.ts';

/** The same encoder, and the records of its runs so far, failed ones included. */
export function recording(encoder: Encoder): { encoder: Encoder; runs: readonly RunRecord[] } {
  const runs: RunRecord[] = [];
  return {
    runs,
    encoder: {
      ...encoder,
      async run(command, options) {
        try {
          const record = await encoder.run(command, options);
          runs.push(record);
          return record;
        } catch (error) {
          if (error instanceof EncodeError) runs.push(error.record);
          throw error;
        }
      },
    },
  };
}
