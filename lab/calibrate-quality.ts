import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findFfmpeg } from '@media-jobs/video/local-programs';
import { defaultCrf, defaultPreset, type Preset, type VideoCodec, videoCodecs } from '@media-jobs/video/media';
import { recipeRequestSchema } from '@media-jobs/video/recipes';
import { ffmpegEncoder } from '@media-jobs/video/runner';
import { runMain } from '../lib/build/run-main.ts';
import { type CalibrationRow, calibrationPath, meanOf, meanScore, readCalibration } from './quality/calibration.ts';
import { generatedClips } from './quality/generated-clips.ts';
import { generatedSamples, realSamples, type Sample } from './quality/samples.ts';
import { type Score, scoreRecipe } from './quality/score-recipe.ts';
import { readNumber } from './read-number.ts';
import { writeDocument } from './tables/write-document.ts';

const usage = `Measures VMAF, size and processor time of each codec's defaults and of the presets beside them, on generated
clips and on videos of yours, and writes them to docs/quality.json and the table of docs/recipes.md.

  npm run calibrate-quality -- [--media DIR] [--seconds 2] [--codec NAME] [--crf N]

  --media DIR    a directory with videos; they are read, never copied
  --seconds N    length of the sample of each video, from its middle
  --codec NAME   measures only this codec, and replaces only its rows
  --crf N        measures this crf instead of the default, and writes nothing
`;

/** The presets to compare. The default is among them. */
const candidates: Record<VideoCodec, readonly Preset[]> = {
  h264: ['veryfast', 'medium', 'slow'],
  h265: ['veryfast', 'fast', 'medium'],
  vp9: ['veryfast', 'fast'],
  av1: ['veryfast', 'fast', 'medium'],
};

/** The second crf of the default preset, from which the slope of size over score follows. */
const crfStep = 3;

const options = {
  media: { type: 'string' },
  seconds: { type: 'string', default: '2' },
  codec: { type: 'string' },
  crf: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

type Trial = Pick<CalibrationRow, 'recipe' | 'codec' | 'preset' | 'crf' | 'isDefault'>;

function trialsOf(codec: VideoCodec, crf: number): Trial[] {
  const usual = defaultPreset[codec];
  const trial = { recipe: 'transcode' as const, codec, crf, isDefault: false };
  const compress = recipeRequestSchema.parse({ name: 'compress' });
  return [
    ...candidates[codec].map((preset) => ({ ...trial, preset, isDefault: preset === usual })),
    ...(codec === 'h264' && compress.name === 'compress'
      ? [{ ...trial, ...compress, recipe: 'compress' as const, isDefault: true }]
      : [{ ...trial, preset: usual, crf: crf + crfStep }]),
  ].map(({ recipe, preset, crf: tried, isDefault }) => ({ recipe, codec, preset, crf: tried, isDefault }));
}

async function calibrate(): Promise<void> {
  const { values } = parseArgs({ options });
  if (values.help) return console.log(usage);
  const chosen = videoCodecs.filter((codec) => values.codec === undefined || codec === values.codec);
  if (chosen.length === 0) throw new Error(`--codec must be one of ${videoCodecs.join(', ')}, found ${values.codec}.`);
  const seconds = readNumber('--seconds', values.seconds);
  const crf = values.crf === undefined ? undefined : readNumber('--crf', values.crf);
  const { ffmpeg: ffmpegPath, ffprobe: ffprobePath, vmaf: vmafPath } = findFfmpeg(process.env);
  const encoder = ffmpegEncoder({ ffmpegPath, ffprobePath, vmafPath });
  if (!(await encoder.canCompare())) throw new Error('This needs an ffmpeg with libvmaf, or the program vmaf');
  const directory = await mkdtemp(join(tmpdir(), 'media-jobs-quality-'));
  try {
    const tools = { encoder, ffmpegPath, directory, seconds };
    console.error('Making the samples');
    const generated = await generatedSamples(tools, generatedClips);
    const skip = (file: string) => console.error(`  ${file} has no progressive SDR video: left out`);
    const real = values.media === undefined ? [] : await realSamples(tools, values.media, skip);
    const trials = chosen.flatMap((codec) => trialsOf(codec, crf ?? defaultCrf[codec]));
    const rows: CalibrationRow[] = [];
    for (const [index, trial] of trials.entries()) {
      const { recipe, codec, preset } = trial;
      const row = await measure(trial, [...generated, ...real], { generated: generated.length });
      rows.push(row);
      console.error(
        `${index + 1} of ${trials.length}: ${recipe} ${codec} ${preset} ${trial.crf}: VMAF ${row.vmaf}, ${row.kbps} kbit/s, ${row.processorSeconds} processor s per s`,
      );
    }
    if (crf !== undefined) return;
    const kept = readCalibration().rows.filter(({ codec }) => !chosen.includes(codec));
    const order = ({ codec }: CalibrationRow) => videoCodecs.indexOf(codec);
    const all = [...kept, ...rows].toSorted((a, b) => order(a) - order(b));
    const calibration = { generatedClips: generated.length, realClips: real.length, seconds, rows: all };
    await writeFile(calibrationPath, `${JSON.stringify(calibration, null, 2)}\n`);
    await writeDocument('docs/recipes.md');
  } finally {
    await rm(directory, { recursive: true });
  }

  async function measure(
    trial: Trial,
    samples: readonly Sample[],
    count: { generated: number },
  ): Promise<CalibrationRow> {
    const { recipe: name, codec, preset, crf } = trial;
    const recipe = recipeRequestSchema.parse({ name, preset, crf, ...(name === 'transcode' && { codec }) });
    const scores: Score[] = [];
    for (const sample of samples) {
      const score = await scoreRecipe(encoder, sample, { recipe, directory });
      console.error(`    ${sample.name}: ${score.vmaf}, ${score.kbps.toFixed(0)} kbit/s`);
      scores.push(score);
    }
    const ofGenerated = samples.slice(0, count.generated).map(({ name: clip }, index) => [clip, scores[index]?.vmaf]);
    const ofReal = scores.slice(count.generated);
    const real = ofReal.length === 0 ? {} : { realVmaf: meanScore(ofReal) };
    return { ...trial, ...meanOf(scores), ...real, generatedVmaf: Object.fromEntries(ofGenerated) };
  }
}

await runMain(calibrate);
