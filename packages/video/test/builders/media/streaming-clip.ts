import { generatedFile } from './generated-file.ts';

/** The clip's duration and that of one frame, in seconds. */
export const streamingClip = { seconds: 6.3, frame: 1001 / 30_000 };

/** When a white flash and a tone start, in seconds; both last half a second. */
export const flashAt = 3;

const recipe = [
  ...['-f', 'lavfi', '-i', `testsrc2=size=854x480:rate=30000/1001:duration=${streamingClip.seconds}`],
  ...[
    '-f',
    'lavfi',
    '-i',
    `aevalsrc='if(between(t,${flashAt},3.5),sin(5000*t)/2,0)':s=48000:d=${streamingClip.seconds}`,
  ],
  ...['-vf', `drawbox=enable='between(t,${flashAt},3.5)':color=white:t=fill`, ...'-c:v libx264 -crf 15'.split(' ')],
  ...['-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'],
];

/** A clip of 854x480 at 29.97 fps: long enough for several segments, large enough for two renditions. */
export function aStreamingClip(): Promise<string> {
  return generatedFile('streamed.mp4', recipe);
}
