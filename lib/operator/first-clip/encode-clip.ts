import { formatDollars, formatDuration } from '@media-jobs/cli/formatting';
import { createMediaJobs } from '@media-jobs/client';

const recipe = { name: 'compress', crf: 28 } as const;
const output = { format: 'mp4' } as const;

type Stage = { baseUrl: string; apiKey: string };

/**
 * Encodes a clip on a deployed stage, after an estimate of its time and price.
 *
 * @param file path of a video
 * @returns the estimate, the cost, and a URL that players open
 * @throws JobError, ApiError
 */
export async function encodeClip(stage: Stage, file: string, onLine: (line: string) => void): Promise<void> {
  const { api, jobs, uploads } = createMediaJobs(stage);
  const url = await uploads.send(file);
  const probe = await jobs.run(url, { name: 'probe', format: 'json' });
  const source = { mode: 'recipe', input: { url }, recipe, output } as const;
  const { seconds, usd } = await api.estimateJob({ body: { ...source, probeJobId: probe.job.jobId } });
  onLine(
    `Estimate: ${formatDuration(seconds.p50)} to ${formatDuration(seconds.p90)}, ${formatDollars(usd.p50)} to ${formatDollars(usd.p90)}`,
  );
  const startedAt = performance.now();
  const { job, files } = await jobs.run(url, { ...recipe, ...output });
  const took = formatDuration((performance.now() - startedAt) / 1000);
  onLine(`Encoded in ${took}. Cost: ${job.cost === undefined ? 'not known yet' : formatDollars(job.cost.usd)}`);
  onLine(`Plays in a player or a <video> element until ${job.output?.expiresAt}: ${files.output?.url}`);
}
