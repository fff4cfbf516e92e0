import { join } from 'node:path';
import { geometricMean } from '../harness/figures/figure.ts';
import { type PeerRow, peerFigure, processorSeconds, runProgram, runRecipe } from '../harness/peers/row.ts';

const program = 'ffmpeg-normalize';
const target = { lufs: -16, truePeak: -1.5 };
const limits = ['-t', `${target.lufs}`, '-tp', `${target.truePeak}`];

/** Speech-like and music-like sounds of different dynamics, by ffmpeg's expressions. */
const sounds: Record<string, string> = {
  steady: 'aevalsrc=0.1*sin(2*PI*220*t)+0.05*random(0)|0.1*sin(2*PI*331*t)+0.05*random(1):d=20',
  quiet: 'aevalsrc=0.004*sin(2*PI*300*t)*(1+sin(2*PI*0.3*t))|0.004*sin(2*PI*300*t):d=20',
  loud: 'aevalsrc=0.8*sin(2*PI*120*t)+0.15*random(0)|0.8*sin(2*PI*180*t)+0.15*random(1):d=20',
  strokes: 'aevalsrc=0.9*exp(-12*mod(t\\,0.5))*sin(2*PI*700*t)|0.9*exp(-12*mod(t\\,0.5))*sin(2*PI*500*t):d=20',
  pauses: "aevalsrc='0.3*sin(2*PI*250*t)*gt(sin(2*PI*0.2*t),0)|0.3*sin(2*PI*350*t)*gt(sin(2*PI*0.2*t),0)':d=20",
  swell: 'aevalsrc=(0.01+0.5*pow(t/20\\,3))*sin(2*PI*400*t)|(0.01+0.5*pow(t/20\\,3))*sin(2*PI*600*t):d=20',
  whisper: 'aevalsrc=0.02*random(0)+0.6*exp(-30*mod(t\\,4))*sin(2*PI*900*t)|0.02*random(1):d=20',
};

type Loudness = { lufs: number; range: number; truePeak: number };

/** Half of what EBU Tech 3341 allows a meter: less is no difference. */
const hearable = 0.05;

export const ffmpegNormalize: PeerRow = {
  peer: program,
  program,
  versionArguments: ['--version'],
  install: ['pip', 'install', '--break-system-packages', 'ffmpeg-normalize'],
  async run({ ffmpeg, directory, print }) {
    const [distance, range, over, seconds]: number[][] = [[], [], [], []];
    for (const [name, graph] of Object.entries(sounds)) {
      const [source, path] = [join(directory, `${name}.wav`), join(directory, `${name}-theirs.wav`)];
      await runProgram(ffmpeg, ['-v', 'error', '-y', '-f', 'lavfi', '-i', graph, '-ar', '48000', source]);
      const before = await loudnessOf(ffmpeg, source);
      const recipe = { name: 'normalize-audio', targetLufs: target.lufs, truePeak: target.truePeak } as const;
      const ours = await runRecipe(source, { recipe, format: 'wav' }, ([output = '']) => loudnessOf(ffmpeg, output));
      const time = await processorSeconds(() =>
        runProgram(program, [...[source, '-f', '-o', path, '-ar', '48000'], ...limits], { FFMPEG_PATH: ffmpeg }),
      );
      const theirs = await loudnessOf(ffmpeg, path);
      const ratio = (of: (loudness: Loudness) => number) => (of(ours.result) + hearable) / (of(theirs) + hearable);
      distance?.push(ratio(({ lufs }) => Math.abs(lufs - target.lufs)));
      range?.push(ratio((loudness) => Math.abs(loudness.range - before.range)));
      over?.push(ratio(({ truePeak }) => Math.max(0, truePeak - target.truePeak)));
      seconds?.push(ours.processorSeconds / time);
      print(`  ${name}: ours ${textOf(ours.result)}, theirs ${textOf(theirs)}; range before ${before.range}`);
    }
    const mean = (values: number[] = []) => [geometricMean(values)];
    return [
      peerFigure(program, 'normalize-audio, distance from the target', mean(distance), 1),
      peerFigure(program, 'normalize-audio, change of the loudness range', mean(range), 1),
      peerFigure(program, 'normalize-audio, true peak over the limit', mean(over), 1),
      peerFigure(program, 'normalize-audio, processor time', seconds ?? [], 1),
    ];
  },
};

async function loudnessOf(ffmpeg: string, path: string): Promise<Loudness> {
  const log = await runProgram(ffmpeg, ['-nostdin', '-i', path, '-af', 'ebur128=peak=true', '-f', 'null', '-']);
  const summary = log.slice(log.lastIndexOf('Summary:'));
  const read = (name: string) => Number(new RegExp(`${name}:\\s+(-?[\\d.]+)`).exec(summary)?.[1] ?? Number.NaN);
  return { lufs: read('I'), range: read('LRA'), truePeak: read('Peak') };
}

function textOf({ lufs, range, truePeak }: Loudness): string {
  return `${lufs} LUFS, range ${range} LU, ${truePeak} dBTP`;
}
