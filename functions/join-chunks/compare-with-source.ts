import type { ChunkPlan } from '@media-jobs/video/chunking';
import {
  isLadderEncoding,
  measureOutput,
  measureVmaf,
  type RunTask,
  runTask,
  withInputOptions,
} from '@media-jobs/video/encoding';
import { nameMeasurements } from '@media-jobs/video/recipes';
import type { Watch } from '../../core/chunked/watch-job.ts';
import { readSteps } from '../../core/jobs/read-steps.ts';
import { sourceName } from '../../core/jobs/stored-file.ts';
import type { ChunkPorts } from '../../core/worker/ports.ts';
import { remainingSeconds } from '../../core/worker/worker-context.ts';

/** As in the commands of chunk tasks. */
const name = sourceName(0);

/**
 * Compares the joined file with the source, which is read where it is stored, if the plan asks for it. Returns all
 * measurements of the job.
 */
export async function compareWithSource(
  { media, openRangeProxy, clock, stallSeconds }: ChunkPorts,
  { plan: { work, sources }, directory }: { plan: ChunkPlan; directory: string },
  { watch: { job }, signal, deadline }: { watch: { job: Watch['job'] }; signal: AbortSignal; deadline: Date },
): Promise<Record<string, number> | undefined> {
  const { encoding, outputs, comparesWithSource, result } = work;
  const [output] = outputs;
  const [source] = sources;
  if (!comparesWithSource || isLadderEncoding(encoding) || !output || !source) return result.measurements;
  await using proxy = await openRangeProxy({ [name]: source }, { job, signal });
  const compared = { path: proxy.urlOf(name), probe: work.source, isRemote: true, transform: encoding.transform };
  const run: RunTask = (task) =>
    runTask(media, task, {
      directory,
      signal: proxy.signal,
      timeLimitSeconds: remainingSeconds(clock, deadline),
      stallSeconds,
    });
  const measurement = measureVmaf(compared, `${directory}/${output.filename}`);
  const measured = await measureOutput(measurement, withInputOptions(run, [compared]));
  if (proxy.failure() !== undefined) throw proxy.failure();
  return { ...result.measurements, ...nameMeasurements(readSteps(job.request), work.step, measured) };
}
