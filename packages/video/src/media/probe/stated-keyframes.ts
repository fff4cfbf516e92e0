import type { BoxAt } from '../mp4/find-boxes.ts';
import { kindOf, mediaOfTracks, only, sampleTableOf } from '../mp4/find-track.ts';
import type { ReadAt } from '../read-at.ts';
import type { Probe } from './probe.ts';

/** Of a table without entries, as in a movie in fragments. */
const emptyTableBytes = 8;

/**
 * Marks a video with predicted frames of which an MP4 or MOV states, by the lack of `stss`, that all are keyframes (ISO 14496-12,
 * 8.6.2).
 * @param readAt reads small ranges near each other
 */
export async function withStatedKeyframes(
  probe: Probe,
  index: number,
  { readAt, sizeBytes }: { readAt: ReadAt; sizeBytes: number },
): Promise<Probe> {
  if (!probe.container.includes('mp4')) return probe;
  const tables: (BoxAt[] | undefined)[] = [];
  for (const media of await mediaOfTracks(readAt, sizeBytes)) {
    if ((await kindOf(readAt, media)) === 'vide') tables.push(await sampleTableOf(readAt, media));
  }
  const videos = probe.streams.filter((stream) => stream.kind === 'video' && !stream.isAttachedPicture);
  const table = tables[videos.findIndex((video) => video.index === index)];
  const times = only(table, 'stts');
  const isInFragments = times === undefined || times.end - times.start <= emptyTableBytes;
  if (tables.length !== videos.length || isInFragments || only(table, 'stss')) return probe;
  const streams = probe.streams.map((stream) =>
    stream.kind === 'video' && stream.index === index
      ? { ...stream, misstatesKeyframes: true as const }
      : stream,
  );
  return { ...probe, streams };
}
