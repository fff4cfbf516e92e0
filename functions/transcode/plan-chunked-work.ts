import { encodeFrameTimes } from '../../core/chunking/frame-index/frame-index.ts';
import { type ChunkedWork, chunkFormat } from '../../core/chunking/plan/chunk-plan.ts';
import { singlePassBecause } from '../../core/chunking/plan/plan-chunks.ts';
import { encodingSinglePassReason } from '../../core/chunking/plan/single-pass-rules.ts';
import { overlayOf, withOverlayPath } from '../../core/encoding/encoding.ts';
import { resolvePlan } from '../../core/encoding/execute-plan.ts';
import type { RunRecord, Workspace } from '../../core/media/ffmpeg/ports.ts';
import { planStep, type Step } from '../../core/recipes/pipeline/steps.ts';
import { recordRuns } from '../worker/run-log.ts';
import type { WorkerContext } from '../worker/worker-deps.ts';
import { cutSource } from './cut-source.ts';
import { type FetchedInputs, totalMediaSeconds } from './fetch-inputs.ts';
import { commandRunner } from './run-steps.ts';
import type { TranscodeDeps } from './transcode-deps.ts';

type Given = { steps: readonly Step[]; fetched: FetchedInputs; workspace: Workspace };

/** A work to be done in parts, and the files on this machine that it needs elsewhere. */
export type PlannedChunkedWork = {
  work: ChunkedWork;
  sourcePath: string;
  overlayPath?: string;
  /** What ffmpeg was asked and said to decide the plan. */
  runs: readonly RunRecord[];
};

/**
 * Decides whether a job is encoded in parts side by side; undefined where it is done here, in one piece. The sentence
 * that says why is reported where there is a video to encode, and wherever speed was asked for.
 */
export async function planChunkedWork(
  ports: TranscodeDeps,
  context: WorkerContext,
  { steps, fetched, workspace }: Given,
): Promise<PlannedChunkedWork | undefined> {
  const { report, job } = context;
  const inOnePiece = (reason: string) => {
    report({ stage: 'probing', fraction: 1, chunking: { chunks: 1, reason } });
    return undefined;
  };
  const [step, ...more] = steps;
  const [source] = fetched.inputs;
  if (step === undefined || source === undefined) throw new TypeError('A job has a step and an input');
  const [assets = {}] = fetched.assets;
  const outputDirectory = await workspace.makeDirectory('parts');
  const { inputs, filters } = fetched;
  const place = { inputs, assets, filters, fontsDirectory: ports.fontsDirectory, outputDirectory };
  const plan = more.length === 0 ? planStep(step, place) : undefined;
  if (plan?.encoding === undefined) {
    return job.request.speed === 'fast' ? inOnePiece(neverInChunks(steps)) : undefined;
  }
  if (job.singlePassReason !== undefined) return inOnePiece(singlePassBecause(job.singlePassReason));
  const cut = await cutSource(ports, context, { ...source, encoding: plan.encoding });
  if (cut.chunks === undefined) return inOnePiece(cut.reason);
  const chunking = { chunks: cut.chunks.length, reason: cut.reason };
  report({ stage: 'probing', fraction: 1, chunking });
  const { encoder, runs } = recordRuns(ports.encoder);
  const running = { index: 0, count: 1, directory: outputDirectory };
  const run = commandRunner({ ...ports, encoder }, context, running);
  const { plan: decided } = await resolvePlan(plan, run);
  const { encoding, outputs, measurements } = decided;
  if (encoding === undefined) throw new TypeError('What is encoded in chunks is one encoding');
  const against = encodingSinglePassReason(encoding);
  if (against !== undefined) return inOnePiece(singlePassBecause(against));
  const overlayPath = overlayOf(encoding)?.path;
  const overlay = Object.values(assets).find(({ path }) => path === overlayPath);
  return {
    sourcePath: source.path,
    runs,
    ...(overlayPath === undefined ? {} : { overlayPath }),
    work: {
      encodedBy: { service: ports.serviceVersion, ffmpeg: await ports.encoder.version() },
      source: source.probe,
      format: chunkFormat(step.format),
      encoding: withOverlayPath('', encoding),
      ...(overlay === undefined ? {} : { overlay: overlay.probe }),
      outputs,
      chunks: [...cut.chunks],
      timelineOrigin: cut.index.timelineOrigin,
      frameTimes: encodeFrameTimes(cut.index),
      result: {
        inputSizeBytes: fetched.inputSizeBytes,
        mediaSeconds: totalMediaSeconds(inputs),
        measurements,
      },
    },
  };
}

function neverInChunks(steps: readonly Step[]): string {
  const [step, ...more] = steps;
  const why =
    more.length === 0
      ? `the recipe ${step?.recipe.name} does not make videos of one input`
      : 'each of its steps works on what the one before it made';
  return singlePassBecause(why);
}
