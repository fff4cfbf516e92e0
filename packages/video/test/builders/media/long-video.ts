import { generatedFile } from './generated-file.ts';

const zoom = ['-f', 'lavfi', '-i', 'mandelbrot=size=640x360:rate=25:end_scale=0.01'];
const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000'];
const x264 = '-c:v libx264 -preset ultrafast -b:v 4M -x264-params keyint=50:scenecut=0'.split(' ');
const aac = ['-c:a', 'aac', '-b:a', '128k', '-pix_fmt', 'yuv420p'];

const mpeg2 = ['-c:v', 'mpeg2video', '-b:v', '4600k', '-maxrate', '6M', '-bufsize', '2M', '-g', '50'];

const containers = {
  indexAtEnd: ['end.mp4', []],
  indexInFront: ['front.mp4', ['-movflags', '+faststart']],
  inFragments: ['fragments.mp4', ['-movflags', '+frag_keyframe+empty_moov+default_base_moof']],
  matroska: ['video.mkv', []],
  // As a browser saves a live stream: no index of keyframes.
  matroskaWithoutIndex: ['live.mkv', ['-live', '1']],
  transportStream: ['video.ts', []],
  programStream: ['video.mpg', [...mpeg2, '-c:a', 'mp2', '-f', 'vob']],
  flash: ['video.flv', []],
} as const satisfies Record<string, readonly [name: string, args: readonly string[]]>;

export type Container = keyof typeof containers;

/** The path of a video of 200 s and about 120 MB with a keyframe every 2 s, generated on first use. */
export async function longVideo(container: Container): Promise<string> {
  const [name, args] = containers[container];
  const scene = await generatedFile('scene.mp4', [...zoom, ...tone, '-t', '40', ...x264, ...aac]);
  return generatedFile(name, ['-stream_loop', '4', '-i', scene, '-c', 'copy', ...args]);
}
