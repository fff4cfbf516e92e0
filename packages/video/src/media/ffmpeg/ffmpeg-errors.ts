import { diskFullMessage, JobError, type JobErrorCode } from '../../errors.ts';
import { maxOpenedStreams } from '../probe/input-limits.ts';
import { diagnosticLines, lastErrorLine } from './ffmpeg-output.ts';

export type FailedRun = {
  exitCode: number | null;
  /** The signal that killed it, such as `SIGKILL`. */
  signal: string | null;
  /** Set if the worker killed the run: for its time limit, its memory, a lack of progress, or the length of its output. */
  termination?: { reason: 'timeLimit' | 'stall' | 'length'; seconds: number } | { reason: 'memory'; megabytes: number };
  log: string;
};

/** `retryable` is set only if it differs from the default of the code. */
type Classified = { code: JobErrorCode; message: string; retryable?: boolean };

/** Maps a failed run to a job error. A termination by the worker comes first: the log of a killed process misleads. */
export function classifyFailure(run: FailedRun): JobError {
  const { code, message, ...options } = byTermination(run) ?? bySignal(run) ?? byMessage(run) ?? byLastError(run);
  return new JobError(code, message, options);
}

function byTermination({ termination }: FailedRun): Classified | undefined {
  if (termination?.reason === 'timeLimit')
    return { code: 'TIMEOUT', message: `The encoding was stopped after ${termination.seconds} s, its time limit` };
  if (termination?.reason === 'stall') {
    const message = `The encoding was stopped because it made no progress for ${termination.seconds} s`;
    return { code: 'TRANSCODE_ERROR', message, retryable: true };
  }
  if (termination?.reason === 'length') {
    const message = `The input is longer than its header declares: it was encoded as far as twice the expected ${termination.seconds.toFixed(1)} s and a minute, and had not ended. Write its duration into the file again (remux it)`;
    return { code: 'INPUT_UNSUPPORTED', message };
  }
  if (termination?.reason === 'memory') {
    const message = `The encoding needs more than the ${termination.megabytes} MB of memory of the worker. Choose a smaller frame size, fewer sizes, h264 or a faster preset`;
    return { code: 'TRANSCODE_ERROR', message };
  }
  return undefined;
}

const terminated: Classified = {
  code: 'TRANSCODE_ERROR',
  message: 'The encoder was terminated by a signal from outside',
  retryable: true,
};

const signals: Record<string, Classified> = {
  SIGXCPU: { code: 'TIMEOUT', message: 'The encoding reached its limit of processor time' },
  SIGXFSZ: { code: 'TRANSCODE_ERROR', message: 'The output exceeded the maximum file size' },
  SIGKILL: {
    code: 'TRANSCODE_ERROR',
    message: 'The encoder was killed, most likely because the worker ran out of memory',
    retryable: true,
  },
  SIGTERM: terminated,
  SIGINT: terminated,
};

/** A signal arrives as such, as exit code 128 + n of a shell, or as ffmpeg's exit code 255 after SIGTERM. */
function bySignal({ exitCode, signal, log }: FailedRun): Classified | undefined {
  const codes: Record<number, string> = {
    130: 'SIGINT',
    137: 'SIGKILL',
    143: 'SIGTERM',
    152: 'SIGXCPU',
    153: 'SIGXFSZ',
  };
  const received =
    exitCode === 255 ? /^(?:\[info\] )?Exiting normally, received signal (\d+)/m.exec(log)?.[1] : undefined;
  if (received) return received === '24' ? signals.SIGXCPU : signals.SIGTERM;
  const name = signal ?? codes[exitCode ?? 0];
  if (!name) return undefined;
  const crash = { code: 'TRANSCODE_ERROR', message: `The encoder crashed (${name})` } as const;
  return signals[name] ?? crash;
}

/** A group `kind` in the pattern is appended to the message. `level` is set if ffmpeg reports the error as a warning. */
type KnownError = Classified & { pattern: RegExp; level?: 'warning' };

const knownErrors: KnownError[] = [
  {
    pattern: /Codec \((?<kind>[\w.-]+)\) not on whitelist/,
    code: 'INPUT_UNSUPPORTED',
    message: 'The codec of a stream is not accepted',
  },
  {
    pattern: /\[(?<kind>h264|hevc|vvc|m4v|mpegvideo|obu) @ \w+\] \[error\] Format not on whitelist/,
    code: 'INPUT_UNSUPPORTED',
    message:
      'The input is video without a container, so its frames have no times. Put it into one with its frame rate first, such as `ffmpeg -framerate 25 -i video.h264 -c copy video.mp4`',
  },
  {
    pattern: /\[(?<kind>[\w,]+) @ \w+\] \[error\] Format not on whitelist|not on whitelist|Unsafe file name/i,
    code: 'INPUT_FORBIDDEN',
    message:
      'The format of the input is not accepted: it is unsupported, such as PSD, or it refers to other files, such as a playlist, a concat script or an SVG',
  },
  {
    pattern: /Number of streams exceeds max_streams/,
    code: 'INPUT_UNSUPPORTED',
    message: `The input has more than ${maxOpenedStreams} streams`,
  },
  {
    pattern: /exceeds specified max pixel count|Picture size \d+x\d+ is invalid/,
    code: 'INPUT_TOO_LARGE',
    message: 'The video has more pixels than the decoder accepts',
  },
  { pattern: /No space left on device/, code: 'INPUT_TOO_LARGE', message: diskFullMessage },
  {
    pattern: /Cannot allocate memory|malloc of size \d+ failed/,
    code: 'TRANSCODE_ERROR',
    message: 'The encoding needs more memory than the worker has. Try a smaller output',
  },
  { pattern: /File too large/, code: 'TRANSCODE_ERROR', message: 'The output exceeded the maximum file size' },
  {
    pattern: /moov atom not found/,
    code: 'INPUT_NOT_MEDIA',
    message: 'The input is not a media file, or an MP4 that is truncated before its index (moov)',
  },
  {
    pattern: /Unknown encoder|Encoder not found|Unknown decoder|No such filter/,
    code: 'INTERNAL_ERROR',
    message: 'The ffmpeg of this deployment lacks a codec or filter that the recipe needs',
    retryable: false,
  },
  {
    pattern: /Mapping type 3 is not implemented/,
    level: 'warning',
    code: 'INPUT_UNSUPPORTED',
    message:
      'The audio is ambisonic Opus with a projection matrix (channel mapping family 3), which cannot be decoded. Send family 2, or stereo',
  },
  {
    pattern: /Cannot determine format of input stream|Decoder .* not found|could not find codec parameters/i,
    level: 'warning',
    code: 'INPUT_UNSUPPORTED',
    message:
      'The input cannot be decoded: its codec is unknown, it is encrypted, or it has an empty audio track: the recipe mute leaves the audio out',
  },
  {
    pattern: /matches no streams/,
    code: 'INPUT_UNSUPPORTED',
    message: 'The input lacks a video or audio stream that the recipe needs',
  },
  {
    pattern: /Could not find tag for codec|codec not currently supported in container|not divisible by 2/,
    code: 'INPUT_UNSUPPORTED',
    message: 'The input cannot be written in this output format',
  },
  {
    pattern: /Can't write packet with unknown timestamp/,
    code: 'INPUT_UNSUPPORTED',
    message: 'Frames of the input have no timestamps, which this output format needs to copy them. Use transcode',
  },
  {
    pattern: /\d channels not supported|channel layout '[^'\n]*' is not supported/,
    code: 'INPUT_UNSUPPORTED',
    message: 'The output format does not support the audio channels of the input',
  },
  {
    pattern: /Input channel layout "[^"\n]*" is invalid|parameter 'pixel_aspect' out of range/,
    level: 'warning',
    code: 'INPUT_UNSUPPORTED',
    message: 'The input states more than 64 audio channels, or pixels of a negative aspect ratio',
  },
  {
    pattern: /Source (Width|Height) must be at least/,
    code: 'INPUT_UNSUPPORTED',
    message: 'The video is smaller than the encoder of this codec accepts. Choose another codec',
  },
  {
    pattern: /\[vost#[^\]\n]*\] \[error\] Error while opening encoder/,
    code: 'TRANSCODE_ERROR',
    message: 'The encoder does not accept these parameters for this frame size and frame rate',
  },
  {
    pattern: /Nothing was written into output file|Output file is empty, nothing was encoded/,
    level: 'warning',
    code: 'TRANSCODE_ERROR',
    message: 'Nothing could be decoded from the requested range of the input',
  },
  {
    pattern: /Decode error rate [\d.]+ exceeds maximum/,
    code: 'INPUT_DAMAGED',
    message: 'The input is damaged: most of it cannot be decoded',
  },
  {
    pattern: /Error opening input[^\n]*Not yet implemented in FFmpeg/,
    code: 'INPUT_UNSUPPORTED',
    message: 'The input uses a feature of its format that the decoder lacks',
  },
  {
    // Does not match the same words about a single packet, after which decoding continues. ffprobe writes its path first.
    pattern:
      /Error opening input[^\n]*(?:Invalid data found|Invalid argument|End of file)|^(?:\[error\] )?[^[\n]+: Invalid data found|^(?:\[error\] )?\/[^\s:]+: (?:Invalid argument|End of file)/m,
    code: 'INPUT_NOT_MEDIA',
    message: 'The input is not a media file that can be read',
  },
];

function byMessage({ log }: FailedRun): Classified | undefined {
  for (const { pattern, level, ...known } of knownErrors) {
    const match = pattern.exec(diagnosticLines(log, level));
    if (match === null) continue;
    const kind = match.groups?.kind;
    return kind ? { ...known, message: `${known.message} (ffmpeg detected ${kind})` } : known;
  }
  return undefined;
}

function byLastError({ exitCode, log }: FailedRun): Classified {
  const lastError = lastErrorLine(log);
  const message = `The encoder exited with code ${exitCode}${lastError ? `: ${lastError}` : ''}`;
  return { code: 'TRANSCODE_ERROR', message, retryable: true };
}
