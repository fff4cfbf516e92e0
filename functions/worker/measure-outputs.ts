import type { PlannedOutput } from '../../core/encoding/plan.ts';
import type { Workspace } from '../../core/media/ffmpeg/ports.ts';
import { verifyOutput } from '../../core/media/outputs/verify-output.ts';
import { canReferenceFiles, findReferences } from '../../core/media/playlists/references.ts';
import {
  rewriteDashManifest,
  type SegmentedStream,
} from '../../core/media/playlists/rewrite-dash-manifest.ts';
import {
  isMasterPlaylist,
  type MeasuredStream,
  rewriteMasterPlaylist,
  rewriteMediaPlaylist,
} from '../../core/media/playlists/rewrite-hls-playlists.ts';
import { measureSegmentRates, readSegmentDurations } from '../../core/media/playlists/segment-rates.ts';
import { verifyPlaylist } from '../../core/media/playlists/verify-playlist.ts';
import type { Probe } from '../../core/media/probe/probe.ts';
import { mainVideo } from '../../core/media/probe/streams.ts';
import { mapConcurrent } from './map-concurrent.ts';
import type { WorkerContext, WorkerDeps } from './worker-deps.ts';

/** A finished file, verified against its plan. */
export type MeasuredOutput = {
  planned: PlannedOutput;
  path: string;
  sizeBytes: number;
  /** Undefined for a playlist, and for a file that ffmpeg did not write. */
  probe?: Probe;
};

/** A probe is a short process of one thread. */
export const maxConcurrentProbes = 4;

type WrittenOutputs = { outputs: readonly PlannedOutput[]; directory: string; workspace: Workspace };

/**
 * Measures every finished file and compares it with the plan. Playlists come last: bit rates and frame rates of the
 * measured files are written into them.
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
  await finalizePlaylists({ outputs, directory, workspace }, media);
  const playlists = await mapConcurrent(outputs.filter(isPlaylist), maxConcurrentProbes, measure);
  return [...media, ...playlists].toSorted(
    (one, other) => outputs.indexOf(one.planned) - outputs.indexOf(other.planned),
  );
}

/** Writes the bit rates and frame rates of the measured media files into the playlists that ffmpeg wrote. */
async function finalizePlaylists(
  { outputs, directory, workspace }: WrittenOutputs,
  media: readonly MeasuredOutput[],
): Promise<void> {
  const written = outputs.filter(
    ({ expectation, content }) => expectation?.referencesFiles && content === undefined,
  );
  const playlists = await Promise.all(
    written.map(async ({ filename, format }) => {
      const path = `${directory}/${filename}`;
      return { filename, format, path, text: await workspace.readText(path) };
    }),
  );
  const byPlaylist = new Map<string, MeasuredStream>();
  const byMediaFile = new Map<string, SegmentedStream>();
  for (const { filename, format, text } of playlists) {
    if (format !== 'm3u8' || isMasterPlaylist(text)) continue;
    const [mediaFile = ''] = findReferences(text, 'm3u8');
    const probe = media.find(({ planned }) => planned.filename === mediaFile)?.probe;
    const framesPerSecond = probe && mainVideo(probe)?.framesPerSecond;
    const measured = {
      ...measureSegmentRates(text),
      framesPerSecond,
    };
    byPlaylist.set(filename, measured);
    byMediaFile.set(mediaFile, { ...measured, segmentDurationsSeconds: readSegmentDurations(text) });
  }
  const rewrite = ({ format, text }: (typeof playlists)[number]) => {
    if (format === 'mpd') return rewriteDashManifest(text, byMediaFile);
    return isMasterPlaylist(text) ? rewriteMasterPlaylist(text, byPlaylist) : rewriteMediaPlaylist(text);
  };
  await Promise.all(playlists.map((playlist) => workspace.writeText(playlist.path, rewrite(playlist))));
}
