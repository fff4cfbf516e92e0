import { EncodeError } from '../../core/media/ffmpeg/encode-error.ts';
import type { Encoder, RunRecord } from '../../core/media/ffmpeg/ports.ts';

/** The same encoder, and the records of its runs so far, failed ones included. */
export function recordRuns(encoder: Encoder): { encoder: Encoder; runs: readonly RunRecord[] } {
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
          if (error instanceof EncodeError) runs.push(error.runRecord);
          throw error;
        }
      },
    },
  };
}
