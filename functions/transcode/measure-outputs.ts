import type { Probe } from '../../core/media/probe.ts';
import { mayRefer } from '../../core/media/references.ts';
import { verifyOutput } from '../../core/media/verify.ts';
import { verifyPlaylist } from '../../core/media/verify-playlist.ts';
import type { Workspace } from '../../core/media/workspace.ts';
import type { Plan, PlannedOutput } from '../../core/recipes/recipe.ts';
import { finishPlaylists } from './finish-playlists.ts';
import { sideBySide } from './side-by-side.ts';
import type { WorkContext, WorkPorts } from './work.ts';

/** A file that was written and found to be what was planned. */
export type Finished = {
  planned: PlannedOutput;
  path: string;
  sizeBytes: number;
  /** Left out for a playlist, and for what ffmpeg did not write. */
  probe?: Probe;
};

/** How many finished files are measured at once: a probe is a short process of one thread. */
export const measuredAtOnce = 4;

type Written = { plan: Pick<Plan, 'outputs'>; directory: string; workspace: Workspace };

/**
 * Measures every finished file and compares it with the plan; playlists last, which say what was measured of the others.
 * @throws JobError `TRANSCODE_ERROR` where one is not what was planned
 */
export async function measureOutputs(
  { encoder }: Pick<WorkPorts, 'encoder'>,
  { signal }: Pick<WorkContext, 'signal'>,
  { plan: { outputs }, directory, workspace }: Written,
): Promise<Finished[]> {
  const siblings = outputs.map(({ filename }) => filename);
  const probeOf = async (path: string, { format, expectation }: PlannedOutput) => {
    if (expectation === undefined) return undefined;
    if (expectation.namesFiles && mayRefer(format)) {
      verifyPlaylist(await workspace.readText(path), { format, siblings, ...expectation });
      return undefined;
    }
    const probe = await encoder.probe(path, { signal, of: 'output' });
    verifyOutput(probe, expectation);
    return probe;
  };
  const finishedOf = async (planned: PlannedOutput): Promise<Finished> => {
    const { filename, content } = planned;
    const path = `${directory}/${filename}`;
    if (content !== undefined) await workspace.writeText(path, content);
    const probe = await probeOf(path, planned);
    return { planned, path, sizeBytes: await workspace.sizeBytes(path), ...(probe && { probe }) };
  };
  const namesFiles = ({ expectation }: PlannedOutput) => expectation?.namesFiles === true;
  const others = outputs.filter((output) => !namesFiles(output));
  const media = await sideBySide(others, measuredAtOnce, finishedOf);
  await finishPlaylists({ outputs, media, directory, workspace });
  const playlists = await sideBySide(outputs.filter(namesFiles), measuredAtOnce, finishedOf);
  return [...media, ...playlists].toSorted(
    (one, other) => outputs.indexOf(one.planned) - outputs.indexOf(other.planned),
  );
}
