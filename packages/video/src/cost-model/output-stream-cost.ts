import { type CommandOutput, filtersOf, numberOf, optionOf, type StreamPosition } from './command-outputs.ts';
import { type CostTable, lineOf } from './cost-table.ts';
import { encodeCost } from './encode-cost.ts';
import { chainCost, type Flow, type SourceStream, type VideoFlow } from './filter-cost.ts';

type StreamOfOutput = {
  /** What is mapped: a stream of an input, or a pad of the filter graph. */
  flow: Flow;
  /** Set for a stream of an input. */
  source: SourceStream | undefined;
  output: CommandOutput;
  /** The number of the stream among those of its kind in the output, from 0. */
  position: number;
  /** The first video of the inputs: what the frames of an encode were made of. */
  frames: VideoFlow | undefined;
};

/** The cost of one stream of an output, without the decoding of its source. */
type OutputStreamCost = {
  /** ffmpeg's name of it, or `copy`. */
  encoder: string;
  cpuSeconds: number;
  encodedBytes: number;
  copiedBytes: number;
  /** How much of the source is decoded for it. Left out for a copy. */
  decodedSeconds?: number;
  written: SourceStream | undefined;
};

/** Processor seconds and bytes of one stream of an output: its filters, and its encoding or copying. */
export function outputStreamCost(stream: StreamOfOutput, table: CostTable): OutputStreamCost {
  const { flow: before, source, output, position } = stream;
  const inOutput = { kind: before.kind === 'video' ? 'v' : 'a', position } as const;
  const encoder = encoderOf(output, inOutput);
  const seconds = Math.min(secondsLimit(output), before.seconds);
  if (encoder === 'copy') {
    const megabits = (source?.megabitsPerSecond ?? 0) * seconds;
    return {
      encoder,
      cpuSeconds: (megabits / 8000) * table.perCopiedGigabyte,
      encodedBytes: 0,
      copiedBytes: output.options.get('f') === 'null' ? 0 : (megabits * 1e6) / 8,
      written: source,
    };
  }
  const chain = chainCost(filtersOf(output, inOutput), [{ ...before, seconds }], table);
  const flow = limitFrames(chain?.flow ?? before, output);
  const share = chain === undefined || chain.flow.seconds === 0 ? 1 : Math.min(1, flow.seconds / chain.flow.seconds);
  const frames = stream.frames ?? (before.kind === 'video' ? before : undefined);
  const encoded = streamCost(flow, { output, position, encoder, frames }, table);
  const megabitsPerSecond = flow.seconds === 0 ? 0 : encoded.megabits / flow.seconds;
  return {
    encoder,
    cpuSeconds: (chain?.cpuSeconds ?? 0) * share + encoded.cpuSeconds,
    encodedBytes: (encoded.megabits * 1e6) / 8,
    copiedBytes: 0,
    decodedSeconds: share * seconds,
    written: { flow, codec: codecOf(encoder), megabitsPerSecond },
  };
}

/** The encoder of a stream. Without an option it is that of the container, where one is used; `null` for no file. */
function encoderOf({ options }: CommandOutput, stream: StreamPosition): string {
  const named = optionOf(options, 'c', stream);
  if (named !== undefined) return named;
  const format = String(options.get('f') ?? 'null');
  return stream.kind === 'v' && format === 'image2' ? 'png' : format;
}

/** The seconds after which `-t` ends an output. */
export function secondsLimit({ options }: CommandOutput): number {
  return numberOf(options.get('t')) ?? Number.POSITIVE_INFINITY;
}

/** `-frames:v` ends an output early. */
function limitFrames(flow: Flow, { options }: CommandOutput): Flow {
  const frames = numberOf(options.get('frames:v'));
  if (frames === undefined || flow.kind === 'audio') return flow;
  return { ...flow, seconds: Math.min(flow.seconds, frames / flow.framesPerSecond) };
}

function streamCost(
  flow: Flow,
  { frames, encoder, output, position }: Omit<StreamOfOutput, 'flow' | 'source'> & { encoder: string },
  table: CostTable,
): { cpuSeconds: number; megabits: number } {
  if (encoder === 'null') return { cpuSeconds: 0, megabits: 0 };
  const { options } = output;
  if (flow.kind === 'audio') {
    const kbps = (numberOf(optionOf(options, 'b', { kind: 'a', position })) ?? 1_000_000) / 1000;
    const cpuSeconds = lineOf(table.audioPerSecond, `encode ${encoder}`) * flow.seconds;
    return { cpuSeconds, megabits: (kbps * flow.seconds) / 1000 };
  }
  return encodeCost({ flow, source: frames ?? flow, encoder }, { options, position }, table);
}

/** ffprobe's name of what an encoder writes. */
function codecOf(encoder: string): string {
  const names: Record<string, string> = {
    libx264: 'h264',
    libx265: 'hevc',
    'libvpx-vp9': 'vp9',
    libsvtav1: 'av1',
  };
  return names[encoder] ?? encoder;
}
