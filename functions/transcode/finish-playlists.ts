import { finishedManifest, type StreamOfSegments } from '../../core/media/finished-dash.ts';
import { finishedMaster, finishedMedia, isMaster, type StreamFacts } from '../../core/media/finished-hls.ts';
import { referencesIn } from '../../core/media/references.ts';
import { segmentLengths, segmentRates } from '../../core/media/segment-rates.ts';
import { mainVideo } from '../../core/media/streams.ts';
import type { Workspace } from '../../core/media/workspace.ts';
import type { PlannedOutput } from '../../core/recipes/recipe.ts';
import type { Finished } from './measure-outputs.ts';

type Written = {
  outputs: readonly PlannedOutput[];
  /** Those that are measured. */
  media: readonly Finished[];
  directory: string;
  workspace: Pick<Workspace, 'readText' | 'writeText'>;
};

/** Writes into the playlists of a stream, where there are any, what only its finished files tell. */
export async function finishPlaylists({ outputs, media, directory, workspace }: Written): Promise<void> {
  const named = outputs.filter(
    ({ expectation, content }) => expectation?.namesFiles && content === undefined,
  );
  const texts = await Promise.all(
    named.map(async ({ filename, format }) => {
      const path = `${directory}/${filename}`;
      return { filename, format, path, text: await workspace.readText(path) };
    }),
  );
  const lists = texts.filter(({ format, text }) => format === 'm3u8' && !isMaster(text));
  const facts = new Map<string, StreamFacts>();
  const streams = new Map<string, StreamOfSegments>();
  for (const { filename, text } of lists) {
    const rates = segmentRates(text);
    const [file = ''] = referencesIn(text, 'm3u8');
    const probe = media.find(({ planned }) => planned.filename === file)?.probe;
    const { framesPerSecond } = (probe && mainVideo(probe)) ?? {};
    const fact = { ...rates, ...(framesPerSecond === undefined ? {} : { framesPerSecond }) };
    facts.set(filename, fact);
    streams.set(file, { ...fact, seconds: segmentLengths(text) });
  }
  const finished = ({ format, text }: (typeof texts)[number]) => {
    if (format === 'mpd') return finishedManifest(text, streams);
    return isMaster(text) ? finishedMaster(text, facts) : finishedMedia(text);
  };
  await Promise.all(texts.map((each) => workspace.writeText(each.path, finished(each))));
}
