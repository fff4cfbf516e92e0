import type { PlannedOutput } from '../../core/encoding/plan.ts';
import { verifyOutput } from '../../core/media/outputs/verify-output.ts';
import { canReferenceFiles } from '../../core/media/playlists/references.ts';
import { verifyPlaylist } from '../../core/media/playlists/verify-playlist.ts';
import { mapConcurrent } from './map-concurrent.ts';
import type { MeasuredOutput, WrittenOutputs } from './measured-output.ts';
import type { WorkerContext, WorkerDeps } from './worker-deps.ts';
import { writePlaylists } from './write-playlists.ts';

/** A probe is a short process of one thread. */
export const maxConcurrentProbes = 4;

/**
 * Measures every finished file and compares it with the plan. Playlists come last: they are
 * written from the measurements of the media files.
 * @throws JobError `TRANSCODE_ERROR` if a file does not agree with its plan
 */
export async function measureOutputs(
  { encoder }: WorkerDeps,
  { signal }: WorkerContext,
  { outputs, directory, workspace }: WrittenOutputs,
): Promise<MeasuredOutput[]> {
  const outputFilenames = outputs.map(({ filename }) => filename);
  const probeOutput = async (path: string, { format, expectation }: PlannedOutput) => {
    if (expectation === undefined) return undefined;
    if (expectation.referencesFiles && canReferenceFiles(format)) {
      verifyPlaylist(await workspace.readText(path), { format, outputFilenames, ...expectation });
      return undefined;
    }
    const probe = await encoder.probe(path, { signal, role: 'output' });
    verifyOutput(probe, expectation);
    return probe;
  };
  const measure = async (planned: PlannedOutput): Promise<MeasuredOutput> => {
    const { filename, content } = planned;
    const path = `${directory}/${filename}`;
    if (content !== undefined) await workspace.writeText(path, content);
    const probe = await probeOutput(path, planned);
    return { planned, path, sizeBytes: await workspace.sizeBytes(path), probe };
  };
  const isPlaylist = ({ expectation }: PlannedOutput) => expectation?.referencesFiles === true;
  const media = await mapConcurrent(
    outputs.filter((output) => !isPlaylist(output)),
    maxConcurrentProbes,
    measure,
  );
  await writePlaylists({ outputs, directory, workspace }, media);
  const playlists = await mapConcurrent(outputs.filter(isPlaylist), maxConcurrentProbes, measure);
  return [...media, ...playlists].toSorted(
    (one, other) => outputs.indexOf(one.planned) - outputs.indexOf(other.planned),
  );
}
