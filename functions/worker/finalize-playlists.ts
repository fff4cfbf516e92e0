import type { PlannedOutput } from '../../core/encoding/plan.ts';
import type { Workspace } from '../../core/media/ffmpeg/ports.ts';
import { findReferences } from '../../core/media/playlists/references.ts';
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
import { mainVideo } from '../../core/media/probe/streams.ts';
import type { MeasuredOutput } from './measure-outputs.ts';

type Written = {
  outputs: readonly PlannedOutput[];
  /** Those that are measured. */
  media: readonly MeasuredOutput[];
  directory: string;
  workspace: Pick<Workspace, 'readText' | 'writeText'>;
};

/** Writes into the playlists of a stream, where there are any, what only its finished files tell. */
export async function finalizePlaylists({ outputs, media, directory, workspace }: Written): Promise<void> {
  const named = outputs.filter(
    ({ expectation, content }) => expectation?.referencesFiles && content === undefined,
  );
  const texts = await Promise.all(
    named.map(async ({ filename, format }) => {
      const path = `${directory}/${filename}`;
      return { filename, format, path, text: await workspace.readText(path) };
    }),
  );
  const lists = texts.filter(({ format, text }) => format === 'm3u8' && !isMasterPlaylist(text));
  const facts = new Map<string, MeasuredStream>();
  const streams = new Map<string, SegmentedStream>();
  for (const { filename, text } of lists) {
    const rates = measureSegmentRates(text);
    const [file = ''] = findReferences(text, 'm3u8');
    const probe = media.find(({ planned }) => planned.filename === file)?.probe;
    const { framesPerSecond } = (probe && mainVideo(probe)) ?? {};
    const fact = { ...rates, ...(framesPerSecond === undefined ? {} : { framesPerSecond }) };
    facts.set(filename, fact);
    streams.set(file, { ...fact, segmentDurationsSeconds: readSegmentDurations(text) });
  }
  const finished = ({ format, text }: (typeof texts)[number]) => {
    if (format === 'mpd') return rewriteDashManifest(text, streams);
    return isMasterPlaylist(text) ? rewriteMasterPlaylist(text, facts) : rewriteMediaPlaylist(text);
  };
  await Promise.all(texts.map((each) => workspace.writeText(each.path, finished(each))));
}
