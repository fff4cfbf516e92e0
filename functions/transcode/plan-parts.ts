import { containerOf } from '../../core/chunks/chunk-source.ts';
import { onePieceFor } from '../../core/chunks/encoding-rules.ts';
import type { PartsWork } from '../../core/chunks/parts-plan.ts';
import { storeTimes } from '../../core/chunks/stored-times.ts';
import type { RunRecord } from '../../core/media/ports.ts';
import type { Workspace } from '../../core/media/workspace.ts';
import { decidePlan } from '../../core/recipes/carry-out.ts';
import { overlayOf, withOverlayAt } from '../../core/recipes/encoding.ts';
import { planStep, type Step } from '../../core/recipes/steps.ts';
import { type CutPorts, cutSource } from './cut-source.ts';
import type { Fetched } from './fetch-inputs.ts';
import { lengthOf } from './length-of.ts';
import { recording } from './recording.ts';
import { commandRunner } from './run-step.ts';
import type { WorkContext, WorkPorts } from './work.ts';

export type PlanPartsPorts = WorkPorts & CutPorts & { serviceVersion: string };

type Given = { steps: readonly Step[]; fetched: Fetched; workspace: Workspace };

/** A work to be done in parts, and the files on this machine that it needs elsewhere. */
export type PlannedParts = {
  work: PartsWork;
  sourcePath: string;
  overlayPath?: string;
  /** What ffmpeg was asked and said to decide the plan. */
  runs: readonly RunRecord[];
};

/**
 * Decides whether a job is encoded in parts side by side; undefined where it is done here, in one piece. The sentence
 * that says why is reported where there is a video to encode, and wherever speed was asked for.
 */
export async function planParts(
  ports: PlanPartsPorts,
  context: WorkContext,
  { steps, fetched, workspace }: Given,
): Promise<PlannedParts | undefined> {
  const { lease, job } = context;
  const inOnePiece = (reason: string) => {
    lease.report({ stage: 'probing', fraction: 1, chunking: { chunks: 1, reason } });
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
  if (job.onePieceBecause !== undefined) return inOnePiece(`Encoded in one piece: ${job.onePieceBecause}`);
  const cut = await cutSource(ports, context, { ...source, encoding: plan.encoding });
  if (cut.chunks === undefined) return inOnePiece(cut.reason);
  const chunking = { chunks: cut.chunks.length, reason: cut.reason };
  lease.report({ stage: 'probing', fraction: 1, chunking });
  const { encoder, runs } = recording(ports.encoder);
  const running = { index: 0, count: 1, directory: outputDirectory };
  const run = commandRunner({ ...ports, encoder }, context, running);
  const { decided } = await decidePlan(plan, run);
  const { encoding, outputs, measurements } = decided;
  if (encoding === undefined) throw new TypeError('What is encoded in chunks is one encoding');
  const against = onePieceFor(encoding);
  if (against !== undefined) return inOnePiece(`Encoded in one piece: ${against}`);
  const overlayPath = overlayOf(encoding)?.path;
  const overlay = Object.values(assets).find(({ path }) => path === overlayPath);
  return {
    sourcePath: source.path,
    runs,
    ...(overlayPath === undefined ? {} : { overlayPath }),
    work: {
      madeBy: { service: ports.serviceVersion, ffmpeg: await ports.encoder.version() },
      source: source.probe,
      format: containerOf(step),
      encoding: withOverlayAt('', encoding),
      ...(overlay === undefined ? {} : { overlay: overlay.probe }),
      outputs,
      chunks: cut.chunks,
      beginning: cut.index.beginning,
      times: storeTimes(cut.index),
      result: {
        inputSizeBytes: fetched.inputSizeBytes,
        ...lengthOf(inputs),
        ...(measurements && { measurements }),
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
  return `Encoded in one piece: ${why}`;
}
