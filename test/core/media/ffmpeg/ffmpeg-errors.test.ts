import { describe, expect, it } from 'vitest';
import { classifyFailure, type FailedRun } from '../../../../core/media/ffmpeg/ffmpeg-errors.ts';

const aFailedRun = (differences: Partial<FailedRun>): FailedRun => ({
  exitCode: 1,
  signal: null,
  log: '',
  ...differences,
});

it('says of which kind a file is that is not read', () => {
  const log =
    "[aiff @ 0x3c61] [error] Format not on whitelist 'mov,mp4'\n[error] /work/input: Invalid argument";
  expect(classifyFailure(aFailedRun({ log })).message).toContain('(ffmpeg knows it as aiff)');
});

describe('what a message of ffmpeg means', () => {
  it.each([
    [
      '[in#0 @ 0x55a5] [error] Error opening input: Invalid data found when processing input',
      'INPUT_NOT_MEDIA',
    ],
    ['[error] /work/input: Invalid data found when processing input', 'INPUT_NOT_MEDIA'],
    ['[mov,mp4,m4a @ 0x1] [error] moov atom not found', 'INPUT_NOT_MEDIA'],
    ["[concat @ 0x1] [error] Format not on whitelist 'mov,mp4'", 'INPUT_FORBIDDEN'],
    ["[http @ 0x1] [error] Protocol 'http' not on whitelist 'file'!", 'INPUT_FORBIDDEN'],
    ["[concat @ 0x1] [error] Unsafe file name '/etc/passwd'", 'INPUT_FORBIDDEN'],
    ["[fatal] Stream map '0:a' matches no streams.", 'INPUT_UNSUPPORTED'],
    ['[error] Cannot determine format of input stream 0:0 after EOF', 'INPUT_UNSUPPORTED'],
    ['[mp4 @ 0x1] [error] Could not find tag for codec vp8 in stream #0', 'INPUT_UNSUPPORTED'],
    ['[libx264 @ 0x1] [error] width not divisible by 2 (321x181)', 'INPUT_UNSUPPORTED'],
    [
      '[flac @ 0x1] [error] 10 channels not supported (max 8)\n[out#0] [error] Nothing was written into output file',
      'INPUT_UNSUPPORTED',
    ],
    ["[SWR @ 0x1] [error] Output channel layout 'ambisonic 1' is not supported", 'INPUT_UNSUPPORTED'],
    [
      'Svt[error]: Instance 1: Source Width must be at least 64\n[out#0] [error] Nothing was written into output file',
      'INPUT_UNSUPPORTED',
    ],
    ['[mov @ 0x1] [error] Number of streams exceeds max_streams parameter (64)', 'INPUT_UNSUPPORTED'],
    ['[error] Decode error rate 1 exceeds maximum 0.666667', 'INPUT_UNSUPPORTED'],
    ['[h264 @ 0x1] [error] 16000x16000 exceeds specified max pixel count 67108864', 'INPUT_TOO_LARGE'],
    ['[png @ 0x1] [error] [IMGUTILS @ 0x1] Picture size 40000x40000 is invalid', 'INPUT_TOO_LARGE'],
    ["[vost#0:0 @ 0x1] [fatal] Unknown encoder 'libx264'", 'INTERNAL_ERROR'],
  ])('%s: %s, and trying again is of no use', (log, code) => {
    expect(classifyFailure(aFailedRun({ log }))).toMatchObject({ code, retryable: false });
  });

  it.each([
    ['av_interleaved_write_frame(): No space left on device', false],
    ['[error] Error while opening encoder: Cannot allocate memory', false],
    ['av_interleaved_write_frame(): File too large', false],
    ['[out#0/mp4 @ 0x1] [error] Nothing was written into output file, because of no packets.', false],
  ])('%s: a failure of the encoding, retryable %s', (log, retryable) => {
    expect(classifyFailure(aFailedRun({ log }))).toMatchObject({ code: 'TRANSCODE_ERROR', retryable });
  });

  it('does not blame the whole input for one packet that decoding went on after', () => {
    const log = [
      '[vist#0:0/h264 @ 0x1] [error] Decoding error: Invalid data found when processing input',
      '[out#0/mp4 @ 0x1] [error] Something quite different',
    ].join('\n');
    expect(classifyFailure(aFailedRun({ log }))).toEqual({
      code: 'TRANSCODE_ERROR',
      message: 'The encoder stopped with code 1: Something quite different',
      retryable: true,
    });
  });

  it('shows an unknown complaint without paths and control characters', () => {
    const log =
      '[error] Cannot open \u001b[31m/tmp/job-1/secret.mp4\u0007 for that reason\nConversion failed!\n';
    expect(classifyFailure(aFailedRun({ exitCode: 187, log })).message).toBe(
      'The encoder stopped with code 187: Cannot open  [31m<path>  for that reason',
    );
  });

  it('says what it can of a failure without a word', () => {
    expect(classifyFailure(aFailedRun({ exitCode: 69 })).message).toBe('The encoder stopped with code 69');
  });
});

describe('who ended a run', () => {
  const log = 'Exiting normally, received signal 15.\nInvalid data found when processing input';

  it('was our time limit, whatever ffmpeg said while it ended', () => {
    const termination = { reason: 'timeLimit', seconds: 840 } as const;
    expect(classifyFailure(aFailedRun({ exitCode: 255, log, termination }))).toEqual({
      code: 'TIMEOUT',
      message: 'The encoding was ended after 840 s, the longest that it may take',
      retryable: false,
    });
  });

  it('was our watch over its progress', () => {
    const termination = { reason: 'stall', seconds: 60 } as const;
    expect(classifyFailure(aFailedRun({ exitCode: null, signal: 'SIGKILL', termination }))).toEqual({
      code: 'TRANSCODE_ERROR',
      message: 'The encoding was ended because it made no progress for 60 s',
      retryable: true,
    });
  });

  it.each([
    ['a kill from outside', { exitCode: null, signal: 'SIGKILL' }, 'killed from outside', true],
    ['a kill as a shell reports it', { exitCode: 137 }, 'killed from outside', true],
    ['a TERM from outside, by its answer', { exitCode: 255, log }, 'ended from outside', true],
    ['a TERM from outside', { exitCode: 143 }, 'ended from outside', true],
    ['the limit of file size', { exitCode: null, signal: 'SIGXFSZ' }, 'largest file', false],
    ['a crash', { exitCode: null, signal: 'SIGSEGV' }, 'crashed (SIGSEGV)', false],
  ])('was %s', (_name, end, words, retryable) => {
    const failure = classifyFailure(aFailedRun(end));
    expect(failure).toMatchObject({ code: 'TRANSCODE_ERROR', retryable });
    expect(failure.message).toContain(words);
  });

  it.each([
    { exitCode: null, signal: 'SIGXCPU' },
    { exitCode: 255, log: '[info] Exiting normally, received signal 24.' },
  ])('was the limit of processor time: %o', (end) => {
    expect(classifyFailure(aFailedRun(end))).toMatchObject({ code: 'TIMEOUT', retryable: false });
  });
});
