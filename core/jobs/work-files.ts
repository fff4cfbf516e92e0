/** Key for the copy of a source whose server serves no ranges. */
export function sourceCopyKey(jobId: string): string {
  return `${workPrefix(jobId)}source`;
}

/** Prefix for the output of a completed step of a pipeline. Each time a step is completed has an id of its own. */
export function stepPrefix(jobId: string, id: string): string {
  return `${workPrefix(jobId)}steps/${id}/`;
}

/** Name of a source, by its number from 0, at the range proxy and in the bucket. */
export function sourceName(number: number): string {
  return `source-${number}`;
}

/** Keys of one chunked encoding. An attempt at the same encoding has the same hash and finds the finished chunks. */
export function workKeys(jobId: string, hash: string) {
  const prefix = `${workPrefix(jobId)}${hash}/`;
  return {
    plan: `${prefix}plan.json`,
    source: (number: number) => prefix + sourceName(number),
    overlay: `${prefix}overlay`,
  };
}

export type ChunkKeys = {
  /** Of the encoded files of a run, which are numbered from 0. */
  fileKey(runId: string, file: number): string;
  /** Prefix of the encoded files of a run. */
  runPrefix(runId: string): string;
  resultKey: string;
  failureKey: string;
};

/**
 * Keys that a chunk task writes beside its plan: its files and then its result, or why its encoding failed. A task may run
 * more than once. Each run has files of its own, and the result names the run.
 */
export function chunkKeys(planKey: string, chunk: number): ChunkKeys {
  const prefix = `${planKey.slice(0, planKey.lastIndexOf('/') + 1)}${chunk}`;
  const runPrefix = (runId: string) => `${prefix}-${runId}-`;
  return {
    fileKey: (runId, file) => `${runPrefix(runId)}${file}`,
    runPrefix,
    resultKey: `${prefix}.json`,
    failureKey: `${prefix}.failure.json`,
  };
}

/** Prefix in the media bucket of everything that a job needs only until it has ended. */
export function workPrefix(jobId: string): string {
  return `work/${jobId}/`;
}
