import type { ReadAt } from '../read-at.ts';
import { readInBlocks } from '../read-in-blocks.ts';
import { type Edit, readEditList } from './edit-list.ts';
import { childrenOf, contentOf, findTrack, only, type TrackBoxes } from './find-track.ts';

/** An audio track: its boxes, the content of its `stts`, and its edit, if it has one. */
export type AudioTrackBoxes = TrackBoxes & { readAt: ReadAt; times: DataView; edit: Edit | undefined };

/**
 * Finds the boxes of an audio track of an MP4 or MOV by ranges. Undefined for another kind of track, for fragments and for
 * several edits.
 *
 * @param trackId as in the track's header; ffprobe prints it as the id of the stream
 */
export async function findAudioTrack(
  readFile: ReadAt,
  file: { sizeBytes: number; trackId: number },
): Promise<AudioTrackBoxes | undefined> {
  const readAt = readInBlocks(readFile);
  const found = await findTrack(readAt, file);
  if (found?.kind !== 'soun') return undefined;
  const times = await contentOf(readAt, only(found.table, 'stts'));
  if (times === undefined) return undefined;
  const list = await contentOf(readAt, only(await childrenOf(readAt, only(found.boxes, 'edts')), 'elst'));
  const edit = list && readEditList(list, found);
  return list !== undefined && edit === undefined ? undefined : { ...found, readAt, times, edit };
}
