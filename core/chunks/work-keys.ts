/** Where everything lies in the media bucket that a job needs only until it has ended. */
export function workPrefix(jobId: string): string {
  return `work/${jobId}/`;
}

/** Where what belongs to one work lies: another attempt at the same finds what is finished. */
export function workKeys(jobId: string, hash: string) {
  const prefix = `${workPrefix(jobId)}${hash}/`;
  return { plan: `${prefix}plan.json`, source: `${prefix}source`, overlay: `${prefix}overlay` };
}

/** What a part leaves beside the plan: its file, and then what was measured of it; or why its encoding failed. */
export function partKeys(planKey: string, part: number): { file: string; result: string; failure: string } {
  const prefix = `${planKey.slice(0, planKey.lastIndexOf('/') + 1)}${part}`;
  return { file: prefix, result: `${prefix}.json`, failure: `${prefix}.failure.json` };
}
