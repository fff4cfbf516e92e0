import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ffmpegPrograms } from '../media/bare-ffmpeg.ts';

const run = promisify(execFile);

/** As ffprobe prints it. */
export type Packet = {
  stream_index: number;
  size: string;
  data_hash: string;
  pts?: number;
  dts?: number;
  duration?: number;
  flags: string;
  side_data_list?: unknown[];
};

async function show<Shown>(path: string, section: string, entries: string[]): Promise<Shown> {
  const { stdout } = await run(
    ffmpegPrograms.ffprobePath,
    ['-v', 'error', '-print_format', 'json', '-show_data_hash', 'sha256', ...entries, path],
    { maxBuffer: 2 ** 28 },
  );
  return JSON.parse(stdout)[section];
}

/**
 * All packets, with times, durations, flags and a hash of their bytes, stream by stream. An edit list hides packets before
 * the start, unless it is ignored.
 */
export async function packetsOf(path: string, { ignoresEdits = false } = {}): Promise<Packet[]> {
  const packets = await show<Packet[]>(path, 'packets', [
    ...(ignoresEdits ? ['-ignore_editlist', '1'] : []),
    '-show_packets',
    '-show_entries',
    'packet=stream_index,pts,dts,duration,size,flags,data_hash,side_data_list',
  ]);
  return packets.toSorted((one, other) => one.stream_index - other.stream_index);
}

/** What a player learns of the streams before it decodes them. */
export function streamsOf(path: string): Promise<Record<string, unknown>[]> {
  return show(path, 'streams', ['-show_streams']);
}
