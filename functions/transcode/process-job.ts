import type { Clock, MediaFiles } from '../../core/jobs/ports.ts';
import type { JobIn } from '../../core/jobs/record.ts';
import type { StoredFile } from '../../core/jobs/stored-file.ts';
import type { Encoder, Workspace } from '../../core/media/ffmpeg/ports.ts';
import type { InputLimits } from '../../core/media/probe/input-limits.ts';
import type { Download } from '../../core/net/ports.ts';
import { readSteps } from '../../core/recipes/pipeline/steps.ts';
import { validatePipeline } from '../../core/recipes/pipeline/validate-pipeline.ts';
import type { Lease } from '../worker/lease.ts';
import { runSteps } from '../worker/run-steps.ts';
import { storeOutputs } from '../worker/store-outputs.ts';
import { fetchInputs } from './fetch-inputs.ts';
import { totalMediaSeconds } from './length-of.ts';
import { type PlanChunkedWorkDeps, planChunkedWork } from './plan-chunked-work.ts';
import type { StoredChunkPlan } from './start-execution.ts';
import { type StoreChunkPlanDeps, storeChunkPlan } from './store-chunk-plan.ts';

export type WorkerDeps = {
  /** Brings the input to `path`; the rules of addresses, sizes and times are bound to it. */
  download: (request: {
    url: string;
    /** Whose job it is: uploads are their owner's alone. */
    ownerId: string;
    path: string;
    maxBytes: number;
    signal: AbortSignal;
    onProgress: (progress: { bytes: number; totalBytes: number | undefined }) => void;
  }) => Promise<Pick<Download, 'bytes'>>;
  encoder: Encoder;
  files: Pick<MediaFiles, 'upload' | 'removeAll'>;
  /** Where the fonts lie that text is drawn with. */
  fontsDirectory: string;
  /** Opens the job's directory; whoever gives it removes it in the end. */
  openWorkspace: () => Promise<Workspace>;
  limits: InputLimits;
  /** Seconds without any progress of ffmpeg after which the job fails. */
  stallSeconds: number;
  clock: Clock;
  newId: () => string;
};

export type WorkerContext = {
  job: JobIn<'processing'>;
  lease: Pick<Lease, 'report'>;
  signal: AbortSignal;
  deadline: Date;
};

export type JobResult = {
  files: Record<string, StoredFile>;
  inputSizeBytes: number;
  /** Length of the inputs together; left out where they are pictures. */
  mediaSeconds?: number;
  measurements?: Record<string, number>;
};

/**
 * Downloads, judges, encodes, checks and uploads; or stores what others need to encode it in parts. Throws what ended
 * the work.
 */
export async function processJob(
  ports: WorkerDeps & PlanChunkedWorkDeps & StoreChunkPlanDeps,
  context: WorkerContext,
): Promise<JobResult | { parts: StoredChunkPlan }> {
  const steps = readSteps(context.job.request);
  const workspace = await ports.openWorkspace();
  const fetched = await fetchInputs(ports, context, { steps, workspace });
  validatePipeline(steps, fetched);
  const planned = await planChunkedWork(ports, context, { steps, fetched, workspace });
  if (planned !== undefined) {
    return { parts: { work: planned.work, ...(await storeChunkPlan(ports, context, planned)) } };
  }
  const { kept, measurements } = await runSteps(ports, context, { steps, fetched, workspace });
  const files = await storeOutputs(ports, context, kept);
  const { inputs, inputSizeBytes } = fetched;
  return {
    files,
    inputSizeBytes,
    ...totalMediaSeconds(inputs),
    ...(Object.keys(measurements).length === 0 ? {} : { measurements }),
  };
}
