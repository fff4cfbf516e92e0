import type { FileRewriter } from '@media-jobs/video/ffmpeg';
import type { Segment, VideoTrack } from '@media-jobs/video/media';
import { carriesCaptions, type FragmentedFile, fragmentSamples, readFragmentedFile } from '@media-jobs/video/media';

/** A rendition of a stream, as far as playlists state it. */
export type MeasuredFragments = {
  file: FragmentedFile;
  /** Each fragment up to the end of its keyframe. */
  keyframes: readonly Segment[];
  /** When each frame is shown, in ascending order. */
  frameSeconds: readonly number[];
  hasCaptions: boolean;
};

export async function measureFragments(
  workspace: { openFile: FileRewriter['openFile'] },
  path: string,
  track: VideoTrack,
): Promise<MeasuredFragments> {
  await using open = await workspace.openFile(path);
  const file = await readFragmentedFile(open.readAt);
  const fragments = [];
  for (const fragment of file.fragments)
    fragments.push({ ...fragment, samples: await fragmentSamples(open.readAt, fragment) });
  return {
    file,
    keyframes: fragments.map(({ offset, seconds, samples: [keyframe] }): Segment => {
      const sizeBytes = keyframe === undefined ? 0 : keyframe.offset + keyframe.sizeBytes;
      return { offset, seconds, sizeBytes };
    }),
    frameSeconds: fragments.flatMap(({ samples }) =>
      samples.map(({ pts }) => pts / file.ticksPerSecond).toSorted((one, other) => one - other),
    ),
    hasCaptions: track.hasCaptions === true && (await carriesCaptions(open.readAt, { ...file, fragments })),
  };
}
