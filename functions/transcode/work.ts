import type { JobIn } from '../../core/jobs/job.ts';
import type { Clock, MediaFiles } from '../../core/jobs/ports.ts';
import type { StoredFile } from '../../core/jobs/stored-file.ts';
import type { InputLimits } from '../../core/media/limits.ts';
import type { Encoder } from '../../core/media/ports.ts';
import type { Workspace } from '../../core/media/workspace.ts';
import type { Download } from '../../core/net/ports.ts';
import { refuseImpossibleSteps } from '../../core/recipes/forecast.ts';
import { stepsOf } from '../../core/recipes/steps.ts';
import { fetchInputs } from './fetch-inputs.ts';
import type { Lease } from './lease.ts';
import { lengthOf } from './length-of.ts';
import { type PlanPartsPorts, planParts } from './plan-parts.ts';
import { runSteps } from './run-steps.ts';
import type { StoredParts } from './start-parts.ts';
import { storeOutputs } from './store-outputs.ts';
import { type StorePartsPorts, storeParts } from './store-parts.ts';

export type WorkPorts = {
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

export type WorkContext = {
  job: JobIn<'processing'>;
  lease: Pick<Lease, 'report'>;
  signal: AbortSignal;
  deadline: Date;
};

export type Produced = {
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
export async function produceFiles(
  ports: WorkPorts & PlanPartsPorts & StorePartsPorts,
  context: WorkContext,
): Promise<Produced | { parts: StoredParts }> {
  const steps = stepsOf(context.job.request);
  const workspace = await ports.openWorkspace();
  const fetched = await fetchInputs(ports, context, { steps, workspace });
  refuseImpossibleSteps(steps, fetched);
  const planned = await planParts(ports, context, { steps, fetched, workspace });
  if (planned !== undefined) {
    return { parts: { work: planned.work, ...(await storeParts(ports, context, planned)) } };
  }
  const { kept, measurements } = await runSteps(ports, context, { steps, fetched, workspace });
  const files = await storeOutputs(ports, context, kept);
  const { inputs, inputSizeBytes } = fetched;
  return {
    files,
    inputSizeBytes,
    ...lengthOf(inputs),
    ...(Object.keys(measurements).length === 0 ? {} : { measurements }),
  };
}
