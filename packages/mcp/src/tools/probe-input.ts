import type { MediaJobs } from '@media-jobs/client';
import type { Budget } from '../budget.ts';

/** More than the probe of any file costs: reading its beginning, and an invocation. */
const maxProbeUsd = 0.01;

/** Runs the recipe `probe`. Returns its description and the id of its job. */
export async function readProbe(
  { mediaJobs, budget }: { mediaJobs: MediaJobs; budget: Budget },
  { input, signal }: { input: string; signal: AbortSignal },
): Promise<{ probeJobId: string; media: unknown }> {
  const limit = Math.min(maxProbeUsd, budget.leftUsd() ?? maxProbeUsd);
  const reserved = budget.reserve(limit);
  let jobId: string | undefined;
  try {
    const work = { name: 'probe' as const, format: 'json' as const };
    jobId = (
      await mediaJobs.jobs.submit(input, work, { signal, ...(reserved !== undefined && { maxCostUsd: reserved }) })
    ).jobId;
  } finally {
    budget.settle(reserved, jobId);
  }
  const { job, files } = await mediaJobs.jobs.wait(jobId, { signal });
  budget.end(jobId, job.cost?.usd ?? 0);
  const [file] = Object.values(files);
  return { probeJobId: jobId, media: JSON.parse((await (await file?.blob())?.text()) ?? 'null') };
}
