import type { JobResult } from '../../core/jobs/job-result.ts';
import type { Workspace } from '../../core/media/ffmpeg/ports.ts';
import type { Step } from '../../core/recipes/pipeline/steps.ts';
import { deliver } from '../publish/deliver.ts';
import type { Published } from '../publish/publish-result.ts';
import { describeOutputs } from '../worker/outputs.ts';
import type { EncodeJobDeps, WorkerContext } from '../worker/worker-deps.ts';
import { type FetchedInputs, totalMediaSeconds } from './fetch-inputs.ts';
import { runSteps } from './run-steps.ts';

/** Encodes a validated job in this process, measures the files and uploads them. */
export async function encodeJob(
  deps: EncodeJobDeps,
  context: WorkerContext,
  { steps, fetched, workspace }: { steps: readonly Step[]; fetched: FetchedInputs; workspace: Workspace },
): Promise<JobResult | Published> {
  const { outputs, measurements } = await runSteps(deps, context, { steps, fetched, workspace });
  const mediaSeconds = totalMediaSeconds(fetched.inputs);
  return deliver(deps, context, {
    outputs: describeOutputs(deps, context, outputs),
    result: {
      inputSizeBytes: fetched.inputSizeBytes,
      ...(mediaSeconds === undefined ? {} : { mediaSeconds }),
      ...(Object.keys(measurements).length === 0 ? {} : { measurements }),
    },
  });
}
