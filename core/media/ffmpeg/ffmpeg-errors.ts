import { isRetryable, type JobErrorCode } from '../../errors.ts';
import { maxStreams } from '../probe/input-limits.ts';
import { diskFullMessage } from './encode-error.ts';
import { lastErrorLine } from './ffmpeg-log.ts';

/** How a run of ffmpeg or ffprobe ended, other than well. */
export type FailedRun = {
  exitCode: number | null;
  /** The signal that ended it, such as `SIGKILL`. */
  signal: string | null;
  /** Why we ended it, where it was us: a limit of time, or no progress for too long. */
  termination?: { reason: 'timeLimit' | 'stall'; seconds: number };
  log: string;
};

export type RunFailure = { code: JobErrorCode; message: string; retryable: boolean };

/** `retryable` only where it differs from what the code says. */
type Classified = Omit<RunFailure, 'retryable'> & { retryable?: boolean };

/** What a failed run means for the job. Our own reasons come first: a killed program's last words mislead. */
export function classifyFailure(run: FailedRun): RunFailure {
  const {
    code,
    message,
    retryable = isRetryable(code),
  } = ours(run) ?? bySignal(run) ?? byMessage(run) ?? unknown(run);
  return { code, message, retryable };
}

function ours({ termination }: FailedRun): Classified | undefined {
  if (termination?.reason === 'timeLimit') {
    const message = `The encoding was ended after ${termination.seconds} s, the longest that it may take`;
    return { code: 'TIMEOUT', message };
  }
  if (termination?.reason === 'stall') {
    const message = `The encoding was ended because it made no progress for ${termination.seconds} s`;
    return { code: 'TRANSCODE_ERROR', message, retryable: true };
  }
  return undefined;
}

const signals: Record<string, Classified> = {
  SIGXCPU: {
    code: 'TIMEOUT',
    message: 'The encoding used all the processor time that it may take',
  },
  SIGXFSZ: {
    code: 'TRANSCODE_ERROR',
    message: 'The output grew beyond the largest file that may be written',
  },
  SIGKILL: {
    code: 'TRANSCODE_ERROR',
    message: 'The encoder was killed from outside, most likely because memory ran out',
    retryable: true,
  },
  SIGTERM: { code: 'TRANSCODE_ERROR', message: 'The encoder was ended from outside', retryable: true },
  SIGINT: { code: 'TRANSCODE_ERROR', message: 'The encoder was ended from outside', retryable: true },
};

/** A signal may come as such, as a shell's 128 + n, or as the 255 that ffmpeg answers to TERM with. */
function bySignal({ exitCode, signal, log }: FailedRun): Classified | undefined {
  const codes: Record<number, string> = {
    130: 'SIGINT',
    137: 'SIGKILL',
    143: 'SIGTERM',
    152: 'SIGXCPU',
    153: 'SIGXFSZ',
  };
  const answered = exitCode === 255 ? /Exiting normally, received signal (\d+)/.exec(log)?.[1] : undefined;
  if (answered) return answered === '24' ? signals.SIGXCPU : signals.SIGTERM;
  const name = signal ?? codes[exitCode ?? 0];
  if (!name) return undefined;
  const crash = {
    code: 'TRANSCODE_ERROR',
    message: `The encoder crashed (${name})`,
  } as const;
  return signals[name] ?? crash;
}

/** What a pattern finds as `kind` is told in the end of the message. */
type Known = Classified & { pattern: RegExp };

const known: Known[] = [
  {
    pattern: /\[(?<kind>[\w,]+) @ \w+\] \[error\] Format not on whitelist|not on whitelist|Unsafe file name/i,
    code: 'INPUT_FORBIDDEN',
    message:
      'The input is of a kind that is not read, such as AIFF, or whatever names other files: playlists, scripts, drawings',
  },
  {
    pattern: /Number of streams exceeds max_streams/,
    code: 'INPUT_UNSUPPORTED',
    message: `The input has more than ${maxStreams} streams`,
  },
  {
    pattern: /exceeds specified max pixel count|Picture size \d+x\d+ is invalid/,
    code: 'INPUT_TOO_LARGE',
    message: 'The picture has more pixels than can be decoded',
  },
  {
    pattern: /No space left on device/,
    code: 'TRANSCODE_ERROR',
    message: diskFullMessage,
  },
  {
    pattern: /Cannot allocate memory|malloc of size \d+ failed/,
    code: 'TRANSCODE_ERROR',
    message: 'The encoding needs more memory than the worker has; a smaller output may succeed',
  },
  {
    pattern: /File too large/,
    code: 'TRANSCODE_ERROR',
    message: 'The output grew beyond the largest file that may be written',
  },
  {
    pattern: /moov atom not found/,
    code: 'INPUT_NOT_MEDIA',
    message: 'The input is not a media file, or an MP4 that was cut off before its index',
  },
  {
    pattern: /Unknown encoder|Encoder not found|Unknown decoder|No such filter/,
    code: 'INTERNAL_ERROR',
    message: 'This service has an ffmpeg that lacks a part which the recipe needs',
    retryable: false,
  },
  {
    pattern: /Cannot determine format of input stream|Decoder .* not found|could not find codec parameters/i,
    code: 'INPUT_UNSUPPORTED',
    message: 'The input cannot be decoded: its codec is unknown, or it is encrypted',
  },
  {
    pattern: /matches no streams/,
    code: 'INPUT_UNSUPPORTED',
    message: 'The input lacks a picture or sound that the recipe needs',
  },
  {
    pattern: /Could not find tag for codec|codec not currently supported in container|not divisible by 2/,
    code: 'INPUT_UNSUPPORTED',
    message: 'The input cannot be written in this output format',
  },
  {
    pattern: /\d channels not supported|channel layout '[^'\n]*' is not supported/,
    code: 'INPUT_UNSUPPORTED',
    message: 'The sound has channels that this output format cannot hold',
  },
  {
    pattern: /Source (Width|Height) must be at least/,
    code: 'INPUT_UNSUPPORTED',
    message: 'The picture is smaller than the encoder of this codec takes; choose another codec',
  },
  {
    pattern: /Nothing was written into output file|Output file is empty, nothing was encoded/,
    code: 'TRANSCODE_ERROR',
    message: 'Nothing could be decoded from the part of the input that was asked for',
  },
  {
    pattern: /Decode error rate [\d.]+ exceeds maximum/,
    code: 'INPUT_UNSUPPORTED',
    message: 'The input is damaged: most of it cannot be decoded',
  },
  {
    // Not the same words about a single packet, which decoding goes on after.
    pattern: /Error opening input[^\n]*Invalid data found|^(?:\[error\] )?[^[\n]+: Invalid data found/m,
    code: 'INPUT_NOT_MEDIA',
    message: 'The input is not a media file that can be read',
  },
];

function byMessage({ log }: FailedRun): Classified | undefined {
  const match = known.find(({ pattern }) => pattern.test(log));
  if (match === undefined) return undefined;
  const { code, message, retryable, pattern } = match;
  const kind = pattern.exec(log)?.groups?.kind;
  return { code, message: kind ? `${message} (ffmpeg knows it as ${kind})` : message, retryable };
}

function unknown({ exitCode, log }: FailedRun): Classified {
  const complaint = lastErrorLine(log);
  const message = `The encoder stopped with code ${exitCode}${complaint ? `: ${complaint}` : ''}`;
  return { code: 'TRANSCODE_ERROR', message, retryable: true };
}
