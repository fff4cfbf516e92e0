import { describe, expect, it } from 'vitest';
import { classifyFailure, type FailedRun } from '../../../src/media/ffmpeg/ffmpeg-errors.ts';

const aFailedRun = (differences: Partial<FailedRun>): FailedRun => ({
  exitCode: 1,
  signal: null,
  log: '',
  ...differences,
});

it('a rejected format has the name that ffmpeg detected', () => {
  const log = "[aiff @ 0x3c61] [error] Format not on whitelist 'mov,mp4'\n[error] /work/input: Invalid argument";
  expect(classifyFailure(aFailedRun({ log })).message).toContain('(ffmpeg detected aiff)');
});

describe('the log of a failed run', () => {
  it.each([
    ['[in#0 @ 0x55a5] [error] Error opening input: Invalid data found when processing input', 'INPUT_NOT_MEDIA'],
    ['[error] /work/input: Invalid data found when processing input', 'INPUT_NOT_MEDIA'],
    ['[error] /work/input: Invalid argument', 'INPUT_NOT_MEDIA'],
    ['[in#0 @ 0x55a5] [error] Error opening input: End of file', 'INPUT_NOT_MEDIA'],
    ['[error] Error opening input files: Not yet implemented in FFmpeg, patches welcome', 'INPUT_UNSUPPORTED'],
    ['[mov,mp4,m4a @ 0x1] [error] moov atom not found', 'INPUT_NOT_MEDIA'],
    ["[concat @ 0x1] [error] Format not on whitelist 'mov,mp4'", 'INPUT_FORBIDDEN'],
    ["[hevc @ 0x1] [error] Format not on whitelist 'mov,mp4'", 'INPUT_UNSUPPORTED'],
    ["[http @ 0x1] [error] Protocol 'http' not on whitelist 'file'!", 'INPUT_FORBIDDEN'],
    ["[concat @ 0x1] [error] Unsafe file name '/etc/passwd'", 'INPUT_FORBIDDEN'],
    ["[fatal] Stream map '0:a' matches no streams.", 'INPUT_UNSUPPORTED'],
    ['[error] Cannot determine format of input stream 0:0 after EOF', 'INPUT_UNSUPPORTED'],
    ['[mp4 @ 0x1] [error] Could not find tag for codec vp8 in stream #0', 'INPUT_UNSUPPORTED'],
    ["[matroska @ 0x1] [error] Can't write packet with unknown timestamp", 'INPUT_UNSUPPORTED'],
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
    [
      '[SWR @ 0x1] [warning] Input channel layout "255 channels" is invalid or unsupported.\n[out#0] [error] Nothing was written into output file',
      'INPUT_UNSUPPORTED',
    ],
    [
      "[graph 0] [error] Value -1.000000 for parameter 'pixel_aspect' out of range\n[out#0] [error] Nothing was written into output file",
      'INPUT_UNSUPPORTED',
    ],
    ['[mov @ 0x1] [error] Number of streams exceeds max_streams parameter (64)', 'INPUT_UNSUPPORTED'],
    ['[error] Decode error rate 1 exceeds maximum 0.666667', 'INPUT_DAMAGED'],
    ['[h264 @ 0x1] [error] 16000x16000 exceeds specified max pixel count 67108864', 'INPUT_TOO_LARGE'],
    ['[png @ 0x1] [error] [IMGUTILS @ 0x1] Picture size 40000x40000 is invalid', 'INPUT_TOO_LARGE'],
    ['av_interleaved_write_frame(): No space left on device', 'INPUT_TOO_LARGE'],
    ["[vost#0:0 @ 0x1] [fatal] Unknown encoder 'libx264'", 'INTERNAL_ERROR'],
  ])('%s: %s, not retryable', (log, code) => {
    expect(classifyFailure(aFailedRun({ log }))).toMatchObject({ code, retryable: false });
  });

  it.each([
    ['[error] Error while opening encoder: Cannot allocate memory', false],
    ['av_interleaved_write_frame(): File too large', false],
    ['[out#0/mp4 @ 0x1] [error] Nothing was written into output file, because of no packets.', false],
    ['[error] Error opening output files: Invalid argument', true],
  ])('%s: a failure of the encoding, retryable %s', (log, retryable) => {
    expect(classifyFailure(aFailedRun({ log }))).toMatchObject({ code: 'TRANSCODE_ERROR', retryable });
  });

  it('blames the parameters, not the input, if the encoder does not open', () => {
    const log = [
      '[vost#0:0/libsvtav1 @ 0x1] [error] Error while opening encoder - maybe incorrect parameters such as bit_rate.',
      '[out#0/mp4 @ 0x1] [error] Nothing was written into output file, because of no packets.',
    ].join('\n');
    expect(classifyFailure(aFailedRun({ log }))).toMatchObject({
      code: 'TRANSCODE_ERROR',
      message: 'The encoder does not accept these parameters for this frame size and frame rate',
      retryable: false,
    });
  });

  it('does not reject the input for one broken packet', () => {
    const log = [
      '[vist#0:0/h264 @ 0x1] [error] Decoding error: Invalid data found when processing input',
      '[out#0/mp4 @ 0x1] [error] Something quite different',
    ].join('\n');
    expect(classifyFailure(aFailedRun({ log }))).toMatchObject({
      code: 'TRANSCODE_ERROR',
      message: 'The encoder exited with code 1: Something quite different',
      retryable: true,
    });
  });

  it.each([
    '[info]     title           : No space left on device',
    '[info]     title           : No such filter\n                    : [error] No space left on device',
    '[info]     title           : [error] Exiting normally, received signal 15',
    "[matroska,webm @ 0x1] [warning] Unknown tag 'No such filter'",
  ])('does not classify by what quotes the file: %s', (quote) => {
    const log = `${quote}\n[vist#0:0/h264 @ 0x1] [dec:h264 @ 0x2] [error] Decode error rate 1 exceeds maximum 0.6`;
    expect(classifyFailure(aFailedRun({ exitCode: 255, log }))).toMatchObject({
      code: 'INPUT_DAMAGED',
      message: 'The input is damaged: most of it cannot be decoded',
    });
  });

  it.each([
    ['[opus @ 0x1] [warning] Mapping type 3 is not implemented.', 'INPUT_UNSUPPORTED'],
    ['[mov @ 0x1] [warning] Could not find codec parameters for stream 0', 'INPUT_UNSUPPORTED'],
    ['[out#0/mp4 @ 0x1] [warning] Output file is empty, nothing was encoded', 'TRANSCODE_ERROR'],
  ])('classifies by errors that ffmpeg reports as warnings: %s', (log, code) => {
    expect(classifyFailure(aFailedRun({ log }))).toMatchObject({ code, retryable: false });
  });

  it('shows an unknown error without paths and control characters', () => {
    const log = '[error] Cannot open \u001b[31m/tmp/job-1/secret.mp4\u0007 for that reason\nConversion failed!\n';
    expect(classifyFailure(aFailedRun({ exitCode: 187, log })).message).toBe(
      'The encoder exited with code 187: Cannot open  [31m<path>  for that reason',
    );
  });

  it('gives the exit code if it is empty', () => {
    expect(classifyFailure(aFailedRun({ exitCode: 69 })).message).toBe('The encoder exited with code 69');
  });
});

describe('the cause of a failed run', () => {
  const log = 'Exiting normally, received signal 15.\nInvalid data found when processing input';

  it.each([
    ['time limit', 'timeLimit', 'TIMEOUT', 'The encoding was stopped after 9 s, its time limit', false],
    ['stall watchdog', 'stall', 'TRANSCODE_ERROR', 'was stopped because it made no progress for 9 s', true],
    ['length of the output', 'length', 'INPUT_UNSUPPORTED', 'longer than its header declares', false],
  ] as const)('is the %s, whatever ffmpeg logged', (_, reason, code, text, retryable) => {
    const failure = classifyFailure(aFailedRun({ exitCode: 255, log, termination: { reason, seconds: 9 } }));
    expect(failure).toMatchObject({ code, message: expect.stringContaining(text), retryable });
  });

  it.each([
    ['a SIGKILL', { exitCode: null, signal: 'SIGKILL' }, 'was killed', true],
    ['a SIGKILL as a shell reports it', { exitCode: 137 }, 'was killed', true],
    ['a SIGTERM by its log', { exitCode: 255, log }, 'terminated by a signal from outside', true],
    ['a SIGTERM', { exitCode: 143 }, 'terminated by a signal from outside', true],
    ['the limit of file size', { exitCode: null, signal: 'SIGXFSZ' }, 'maximum file size', false],
    ['a crash', { exitCode: null, signal: 'SIGSEGV' }, 'crashed (SIGSEGV)', false],
  ])('is %s', (_name, end, text, retryable) => {
    const failure = classifyFailure(aFailedRun(end));
    expect(failure).toMatchObject({ code: 'TRANSCODE_ERROR', retryable });
    expect(failure.message).toContain(text);
  });

  it.each([
    { exitCode: null, signal: 'SIGXCPU' },
    { exitCode: 255, log: '[info] Exiting normally, received signal 24.' },
  ])('is the processor time limit: %o', (end) => {
    expect(classifyFailure(aFailedRun(end))).toMatchObject({ code: 'TIMEOUT', retryable: false });
  });
});
