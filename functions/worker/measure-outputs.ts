import type { Plan, PlannedOutput } from '../../core/encoding/plan.ts';
import type { Workspace } from '../../core/media/ffmpeg/ports.ts';
import { verifyOutput } from '../../core/media/outputs/verify-output.ts';
import { canReferenceFiles } from '../../core/media/playlists/references.ts';
import { verifyPlaylist } from '../../core/media/playlists/verify-playlist.ts';
import type { Probe } from '../../core/media/probe/probe.ts';
import type { WorkerContext, WorkerDeps } from '../transcode/process-job.ts';
import { finalizePlaylists } from './finalize-playlists.ts';
import { mapConcurrent } from './map-concurrent.ts';

/** A file that was written and found to be what was planned. */
export type MeasuredOutput = {
  planned: PlannedOutput;
  path: string;
  sizeBytes: number;
  /** Left out for a playlist, and for what ffmpeg did not write. */
  probe?: Probe;
};

/** How many finished files are measured at once: a probe is a short process of one thread. */
export const maxConcurrentProbes = 4;

type Written = { plan: Pick<Plan, 'outputs'>; directory: string; workspace: Workspace };

/**
 * Measures every finished file and compares it with the plan; playlists last, which say what was measured of the others.
 * @throws JobError `TRANSCODE_ERROR` where one is not what was planned
 */
export async function measureOutputs(
  { encoder }: Pick<WorkerDeps, 'encoder'>,
  { signal }: Pick<WorkerContext, 'signal'>,
  { plan: { outputs }, directory, workspace }: Written,
): Promise<MeasuredOutput[]> {
  const outputFilenames = outputs.map(({ filename }) => filename);
  const probeOf = async (path: string, { format, expectation }: PlannedOutput) => {
    if (expectation === undefined) return undefined;
    if (expectation.referencesFiles && canReferenceFiles(format)) {
      verifyPlaylist(await workspace.readText(path), { format, outputFilenames, ...expectation });
      return undefined;
    }
    const probe = await encoder.probe(path, { signal, role: 'output' });
    verifyOutput(probe, expectation);
    return probe;
  };
  const finishedOf = async (planned: PlannedOutput): Promise<MeasuredOutput> => {
    const { filename, content } = planned;
    const path = `${directory}/${filename}`;
    if (content !== undefined) await workspace.writeText(path, content);
    const probe = await probeOf(path, planned);
    return { planned, path, sizeBytes: await workspace.sizeBytes(path), ...(probe && { probe }) };
  };
  const referencesFiles = ({ expectation }: PlannedOutput) => expectation?.referencesFiles === true;
  const others = outputs.filter((output) => !referencesFiles(output));
  const media = await mapConcurrent(others, maxConcurrentProbes, finishedOf);
  await finalizePlaylists({ outputs, media, directory, workspace });
  const playlists = await mapConcurrent(outputs.filter(referencesFiles), maxConcurrentProbes, finishedOf);
  return [...media, ...playlists].toSorted(
    (one, other) => outputs.indexOf(one.planned) - outputs.indexOf(other.planned),
  );
}
