import { bareFfmpeg } from './bare-ffmpeg.ts';
import { cachedFile } from './cached-file.ts';
import { clipWith } from './clips.ts';

/** Sources that are whole, and unlike what files are expected to be. */
const awkward = {
  /** The sound begins 1.5 s after the picture, and ends as much later. */
  lateSound: {
    name: 'late-sound.mkv',
    args: (clip: string) => ['-i', clip, '-itsoffset', '1.5', '-i', clip, ...mapped('0:v', '1:a')],
  },
} satisfies Record<string, { name: string; args: (clip: string) => string[] }>;

/** The path of such a source, made on first use from the ordinary 2 s clip. */
export async function awkwardClip(kind: keyof typeof awkward): Promise<string> {
  const { name, args } = awkward[kind];
  const recipe = args(await clipWith());
  return cachedFile({ name, recipe }, (path) => bareFfmpeg(['-v', 'error', ...recipe, path]));
}

function mapped(...streams: string[]): string[] {
  return [...streams.flatMap((stream) => ['-map', stream]), '-c', 'copy'];
}
