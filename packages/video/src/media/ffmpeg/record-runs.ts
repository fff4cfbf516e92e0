import { EncodeError, type Encoder, type RunRecord } from './ports.ts';

/** Wraps an encoder so that the record of each run is added to `runs`, failed ones included. */
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
      async compare(comparison, options) {
        try {
          const record = await encoder.compare(comparison, options);
          runs.push(...record.runs);
          return record;
        } catch (error) {
          if (error instanceof EncodeError) runs.push(error.runRecord);
          throw error;
        }
      },
    },
  };
}
