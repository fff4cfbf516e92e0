import { basename } from 'node:path';
import type { RunRecord } from '@media-jobs/video/ffmpeg';
import type { InputFile } from '@media-jobs/video/media';
import { maxCommandBytes, maxLogBytes } from '../jobs/attempt-log.ts';
import type { JobIn } from '../jobs/record.ts';
import { version } from '../version.ts';
import type { DownloadedInput, RemoteInput, Sources, WorkerPorts } from './ports.ts';

/** Wraps a download so that each file is added to `inputs`, under its name on the disk. */
export function recordInputs(download: Sources['download']): {
  download: Sources['download'];
  inputs: readonly InputFile[];
  /** Keys in the media bucket under which a copy of a source was begun, also if it failed. */
  copies: readonly string[];
} {
  const inputs: InputFile[] = [];
  const copies: string[] = [];
  return {
    inputs,
    copies,
    async download({ asRemote, ...request }) {
      const onCopy = () => void (asRemote && copies.push(asRemote.copyKey));
      const file = await download({ ...request, asRemote: asRemote && { ...asRemote, onCopy } });
      const name = basename(request.path);
      // A source may be located first and then downloaded.
      const earlier = inputs.findIndex((input) => input.name === name);
      inputs.splice(earlier === -1 ? inputs.length : earlier, 1, toInputFile(name, file));
      return file;
    },
  };
}

/** A file as the job's log shows it. */
export function toInputFile(name: string, file: DownloadedInput | RemoteInput): InputFile {
  if ('location' in file) return { name, bytes: file.bytes };
  const { bytes, sha256 } = file;
  return { name, bytes, sha256 };
}

/** The record of an attempt so far: the files that it downloaded and the runs of ffmpeg. */
export type AttemptRecord = { inputs: readonly InputFile[]; runs: readonly RunRecord[] };

/**
 * Stores the commands and the log of an attempt, if ffmpeg ran at all. Call it before the terminal write, so that the
 * log exists when a client reads the terminal job. A failure is reported, not thrown.
 */
export async function storeRunLog(
  { logs, media, isolation, clock, retentionMs, onUnexpected }: WorkerPorts,
  { ownerId, jobId, attempt }: JobIn<'processing'>,
  { inputs, runs }: AttemptRecord,
): Promise<void> {
  if (runs.length === 0) return;
  const ref = { ownerId, jobId };
  try {
    const log = {
      attempt,
      ffmpegVersion: await media.version(),
      serviceVersion: version,
      isolation: isolation && [...isolation],
      inputs: [...inputs],
      commands: commandsThatFit(runs.map((run) => run.arguments)),
      log: Buffer.from(runs.map((run) => run.log).join('\n'))
        .subarray(-maxLogBytes)
        .toString(),
    };
    await logs.put(ref, log, new Date(clock.now().getTime() + retentionMs));
  } catch (cause) {
    onUnexpected(ref, cause);
  }
}

/** Keeps the first commands and the last. Commands of chunks resemble each other, and the last one joins them. */
function commandsThatFit(commands: readonly string[][]): string[][] {
  const sizeOf = (command: readonly string[]) => Buffer.byteLength(command.join(' '));
  const last = commands.slice(-1);
  let remainingBytes = maxCommandBytes - sizeOf(last.flat());
  const others = commands.slice(0, -1);
  const firstOmitted = others.findIndex((command) => {
    remainingBytes -= sizeOf(command);
    return remainingBytes < 0;
  });
  return [...others.slice(0, firstOmitted === -1 ? undefined : firstOmitted), ...last];
}
