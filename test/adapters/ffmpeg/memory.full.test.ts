import { expect, it } from 'vitest';
import { generatedFile } from '../../builders/media/generated-file.ts';
import { anEncoder, aTemporaryDirectory } from '../../builders/recipes/encode.ts';

/** The memory of a function in a new AWS account. */
const megabytes = 3008;
const frames = ['-frames:v', '30'];

const sizes = [2160, 1080, 720, 360];
const splits = sizes.map((_, index) => `[s${index}]`).join('');
const scales = sizes.map((height, index) => `[s${index}]scale=-2:${height}[v${index}]`).join(';');

it.each<[string, string[]]>([
  [
    'a ladder of four sizes by x264',
    [
      ...['-filter_complex', `[0:v]split=${sizes.length}${splits};${scales}`],
      ...sizes.flatMap((_, index) => ['-map', `[v${index}]`]),
      ...['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p'],
    ],
  ],
  ['10 bit by x265', ['-c:v', 'libx265', '-preset', 'fast', '-pix_fmt', 'yuv420p10le']],
  ['10 bit by SVT-AV1', ['-c:v', 'libsvtav1', '-preset', '10', '-pix_fmt', 'yuv420p10le']],
])('2160p passes at 3,008 MB, or ends with a clear error: %s', async (_, codec) => {
  const path = await generatedFile('uhd.mp4', [
    ...['-f', 'lavfi', '-i', 'testsrc2=size=3840x2160:rate=25:duration=2'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'],
  ]);
  const encoder = anEncoder({ limits: { memoryBytes: megabytes * 2 ** 20 } });
  const command = { inputs: [{ path }], outputArguments: [...codec, ...frames, '-f', 'null', '-'] };
  const outcome = await encoder
    .run(command, {
      directory: await aTemporaryDirectory(),
      signal: new AbortController().signal,
      timeLimitSeconds: 600,
      stallSeconds: 300,
    })
    .then(
      () => 'passed',
      ({ message }: Error) => message,
    );
  expect(['passed', expect.stringContaining(`needs more than the ${megabytes} MB of memory`)]).toContainEqual(
    outcome,
  );
});
