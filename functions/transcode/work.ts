import type { JobIn } from '../../core/jobs/job.ts';
import type { Clock, MediaFiles } from '../../core/jobs/ports.ts';
import type { StoredFile } from '../../core/jobs/stored-file.ts';
import { type InputLimits, judgeProbe } from '../../core/media/limits.ts';
import type { Encoder } from '../../core/media/ports.ts';
import type { Probe } from '../../core/media/probe.ts';
import type { Workspace } from '../../core/media/workspace.ts';
import type { Download } from '../../core/net/ports.ts';
import type { Plan } from '../../core/recipes/recipe.ts';
import { formatSchema, planRecipe, recipeRequestSchema } from '../../core/recipes/registry.ts';
import type { Lease } from './lease.ts';
import { storeOutputs } from './outputs.ts';

export type WorkPorts = {
  /** Brings the input to `path`; the rules of addresses, sizes and times are bound to it. */
  download: (request: {
    url: string;
    /** Whose job it is: uploads are their owner's alone. */
    ownerId: string;
    path: string;
    signal: AbortSignal;
    onProgress: (progress: { bytes: number; totalBytes: number | undefined }) => void;
  }) => Promise<Pick<Download, 'bytes'>>;
  encoder: Encoder;
  files: Pick<MediaFiles, 'upload' | 'removeAll'>;
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
  /** Length of the input. */
  mediaSeconds?: number;
};

/** Downloads, judges, encodes, checks and uploads; throws what ended the work. */
export async function produceFiles(ports: WorkPorts, context: WorkContext): Promise<Produced> {
  const workspace = await ports.openWorkspace();
  const { bytes: inputSizeBytes } = await fetchInput(ports, context, workspace);
  const { plan, probe } = await planWork(ports, context, workspace);
  await encode(ports, context, { plan, workspace });
  const files = await storeOutputs(ports, context, { plan, workspace });
  const { durationSeconds: mediaSeconds } = probe;
  return { files, inputSizeBytes, ...(mediaSeconds === undefined ? {} : { mediaSeconds }) };
}

async function fetchInput(
  ports: WorkPorts,
  { job, lease, signal }: WorkContext,
  workspace: Workspace,
): Promise<{ bytes: number }> {
  lease.report({ stage: 'downloading', fraction: 0 });
  return ports.download({
    url: job.request.input.url,
    ownerId: job.ownerId,
    path: workspace.inputPath,
    signal,
    onProgress: ({ bytes, totalBytes }) => {
      if (!totalBytes) return;
      lease.report({ stage: 'downloading', fraction: bytes / totalBytes });
    },
  });
}

async function planWork(
  { encoder, limits }: WorkPorts,
  { job, lease, signal }: WorkContext,
  workspace: Workspace,
): Promise<{ plan: Plan; probe: Probe }> {
  lease.report({ stage: 'probing', fraction: 0 });
  const probe: Probe = await encoder.probe(workspace.inputPath, { signal });
  judgeProbe(probe, limits);
  const plan = planRecipe(recipeRequestSchema.parse(job.request.recipe), {
    probe,
    format: formatSchema.parse(job.request.output.format),
    inputPath: workspace.inputPath,
    outputDirectory: workspace.outputDirectory,
  });
  return { plan, probe };
}

async function encode(
  { encoder, clock, stallSeconds }: WorkPorts,
  { lease, signal, deadline }: WorkContext,
  { plan, workspace }: { plan: Plan; workspace: Workspace },
): Promise<void> {
  const { length: count } = plan.commands;
  lease.report({ stage: 'transcoding', fraction: 0 });
  for (const [index, command] of plan.commands.entries()) {
    await encoder.run(command, {
      directory: workspace.outputDirectory,
      signal,
      timeLimitSeconds: (deadline.getTime() - clock.now().getTime()) / 1000,
      stallSeconds,
      onProgress: ({ percent, remainingSeconds }) =>
        lease.report({
          stage: 'transcoding',
          fraction: (index + percent / 100) / count,
          // A command knows nothing of those that follow it.
          remainingSeconds: index === count - 1 ? remainingSeconds : undefined,
        }),
    });
  }
}
