import type { Command } from '../../media/ffmpeg/command.ts';

/** So much of each end is decoded, from the keyframe before it. */
const checkedSeconds = 1;

/** Decodes the first and the last second of an encoded file. Fails if a packet of its video or audio is damaged. */
export function checkCommand(path: string): Command {
  const ends = [
    ['-t', `${checkedSeconds}`],
    ['-sseof', `-${checkedSeconds}`],
  ];
  return {
    inputs: ends.map((end) => ({ path, options: ['-err_detect', 'explode', ...end], isTrusted: true })),
    outputArguments: [...ends.flatMap((_, input) => ['-map', `${input}`]), '-xerror', '-f', 'null', '-'],
    durationSeconds: checkedSeconds,
  };
}
