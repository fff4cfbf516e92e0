/** Where everything lies in the media bucket that a job needs only until it has ended. */
export function workPrefix(jobId: string): string {
  return `work/${jobId}/`;
}

/** Where what belongs to one work lies: another attempt at the same finds what is finished. */
export function workKeys(jobId: string, hash: string) {
  const prefix = `${workPrefix(jobId)}${hash}/`;
  return { plan: `${prefix}plan.json`, source: `${prefix}source`, overlay: `${prefix}overlay` };
}

export type ChunkKeys = {
  /** Of its files, which are numbered from 0. */
  fileKey(file: number): string;
  resultKey: string;
  failureKey: string;
};

/** What a part leaves beside the plan: its files, and then what was measured of them; or why its encoding failed. */
export function chunkKeys(planKey: string, part: number): ChunkKeys {
  const prefix = `${planKey.slice(0, planKey.lastIndexOf('/') + 1)}${part}`;
  return {
    fileKey: (file) => `${prefix}-${file}`,
    resultKey: `${prefix}.json`,
    failureKey: `${prefix}.failure.json`,
  };
}
