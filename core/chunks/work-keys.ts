/** Where everything lies in the media bucket that a job needs only until it has ended. */
export function workPrefix(jobId: string): string {
  return `work/${jobId}/`;
}

/** Where what belongs to one work lies: another attempt at the same finds what is finished. */
export function workKeys(jobId: string, hash: string) {
  const prefix = `${workPrefix(jobId)}${hash}/`;
  return { plan: `${prefix}plan.json`, source: `${prefix}source`, overlay: `${prefix}overlay` };
}

export type PartKeys = {
  /** Of its files, which are numbered from 0. */
  fileOf(file: number): string;
  result: string;
  failure: string;
};

/** What a part leaves beside the plan: its files, and then what was measured of them; or why its encoding failed. */
export function partKeys(planKey: string, part: number): PartKeys {
  const prefix = `${planKey.slice(0, planKey.lastIndexOf('/') + 1)}${part}`;
  return {
    fileOf: (file) => `${prefix}-${file}`,
    result: `${prefix}.json`,
    failure: `${prefix}.failure.json`,
  };
}
