import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type CostTable, costTable, type EncodeCost, lineOf } from '@media-jobs/video/cost-model';
import { findFfmpeg, findFonts } from '@media-jobs/video/local-programs';
import type { VideoCodec } from '@media-jobs/video/media';
import { ffmpegEncoder } from '@media-jobs/video/runner';
import { root } from '../lib/build/paths.ts';
import { runMain } from '../lib/build/run-main.ts';
import { measureAudio } from './calibrate/audio.ts';
import { measureDecoders } from './calibrate/decoders.ts';
import { measureAllEfforts } from './calibrate/efforts.ts';
import { measureEncoder } from './calibrate/encoders.ts';
import { measureFilters } from './calibrate/filters.ts';
import { measureFrameRates } from './calibrate/frame-rates.ts';
import { convertSeconds, type Machine, thisMachine } from './calibrate/machine.ts';
import { round } from './calibrate/measure.ts';
import { measurePalettes } from './calibrate/palettes.ts';
import { measureSlowness } from './calibrate/slowness.ts';

const usage = `Measures what ffmpeg takes on this machine, for the estimates of time and price.

  npm run calibrate [-- PART...]

Writes packages/video/src/cost-model/calibration.json. Takes more than 20 minutes of an idle machine. PART is decoders, filters, palettes,
audio, h264, h265, vp9, av1, efforts (the presets of all encoders) or frame-rates (of all encoders); the others keep their
figures, and what is measured is converted to seconds of the machine that measured these. packages/video/src/cost-model/DECISION.md says
what is measured and how.
`;

/** What a part measures: a line may lack what another part measures. */
type Lines = Partial<Omit<CostTable, 'encode'>> & { encode?: Record<string, Partial<EncodeCost>> };

const parts = {
  decoders: measureDecoders,
  filters: measuredFilters,
  palettes: measurePalettes,
  audio: async (machine: Machine) => ({ audioPerSecond: await measureAudio(machine) }),
  h264: encoderPart('h264'),
  h265: encoderPart('h265'),
  vp9: encoderPart('vp9'),
  av1: encoderPart('av1'),
  efforts: async (machine: Machine, table: CostTable) => ({
    encode: await measureAllEfforts(machine, table),
  }),
  'frame-rates': async (machine: Machine, table: CostTable) => ({
    encode: await measureFrameRates(machine, table),
  }),
} satisfies Record<string, (machine: Machine, table: CostTable) => Promise<Lines>>;

type Part = keyof typeof parts;

function encoderPart(codec: VideoCodec) {
  return async (machine: Machine) => ({ encode: await measureEncoder(machine, codec) });
}

/** In their order: the last two use the lines of the encoders. */
const partNames = Object.keys(parts) as Part[];

const tablePath = join(root, 'packages/video/src/cost-model/calibration.json');

/** Copying of streams, in processor seconds for each gigabyte: `npm run bench -- parallel`, read and written once. */
const perCopiedGigabyte = 4;

async function measuredFilters(machine: Machine): Promise<Lines> {
  const { vmafPerMegapixel = costTable.vmafPerMegapixel, ...lines } = await measureFilters(machine, findFonts());
  return { ...lines, vmafPerMegapixel };
}

async function describeMachine({ ffmpeg, ffprobe }: { ffmpeg: string; ffprobe: string }): Promise<string> {
  const version = await ffmpegEncoder({ ffmpegPath: ffmpeg, ffprobePath: ffprobe }).version();
  const [program] = /ffmpeg version \S+/.exec(version) ?? [version];
  return `${cpus().length} x ${cpus()[0]?.model.trim()}, ${program}, ${new Date().toISOString().slice(0, 10)}`;
}

function replaceLines(table: CostTable, lines: Lines): CostTable {
  const encode: Record<string, EncodeCost> = { ...table.encode };
  for (const [name, line] of Object.entries(lines.encode ?? {}))
    encode[name] = { ...lineOf(table.encode, name), ...line };
  const filterPerMegapixel = { ...table.filterPerMegapixel, ...lines.filterPerMegapixel };
  return { ...table, ...lines, encode, filterPerMegapixel };
}

async function calibrate(chosen: readonly Part[]): Promise<void> {
  const { ffmpeg, ffprobe } = findFfmpeg(process.env);
  const directory = await mkdtemp(join(tmpdir(), 'media-jobs-calibrate-'));
  try {
    const own = await thisMachine({ ffmpeg, directory, print: (line) => console.log(line) });
    const isPartial = chosen.length < partNames.length;
    const slowness = isPartial ? await measureSlowness(own) : 1;
    if (isPartial) own.print(`seconds here for each of ${costTable.measuredOn}: ${round(slowness)}`);
    const machine = convertSeconds(own, slowness);
    let table: CostTable = isPartial
      ? costTable
      : { ...costTable, perCommand: round(own.startSeconds), perCopiedGigabyte };
    for (const part of chosen) {
      machine.print(part);
      table = replaceLines(table, await parts[part](machine, table));
    }
    const measuredOn = isPartial ? costTable.measuredOn : await describeMachine({ ffmpeg, ffprobe });
    const text = JSON.stringify({ ...table, measuredOn }, null, 2);
    await writeFile(tablePath, `${text}\n`);
  } finally {
    await rm(directory, { recursive: true });
  }
}

await runMain(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', default: false } },
  });
  const unknown = positionals.find((name) => !partNames.some((part) => part === name));
  if (unknown !== undefined) throw new Error(`There is no part ${unknown}.\n${usage}`);
  if (values.help) console.log(usage);
  else await calibrate(partNames.filter((part) => positionals.length === 0 || positionals.includes(part)));
});
