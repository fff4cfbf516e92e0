import type { ReproducedFile, Reproduction } from './reproduce-job.ts';

/**
 * Whether every file that was compared is the same. False if the job has files and none was compared. True if there is no
 * file to compare with: then the commands only had to run.
 */
export function isSame({ files }: Reproduction): boolean {
  const compared = files.filter(({ result }) => result !== 'not compared');
  if (compared.length === 0) return files.length === 0;
  return compared.every(({ result }) => result === 'same bytes' || result === 'same frames');
}

/** The result as text: one line for each file of the job. */
export function formatReproduction({ attempt, ffmpeg, commands, files }: Reproduction): string {
  const counted = commands === 1 ? '1 command' : `${commands} commands`;
  const header = `Ran ${counted} of attempt ${attempt} with ${ffmpeg.here}.`;
  if (files.length === 0) return `${header} There is no file of the job to compare with.`;
  const lines = files.map((file) => `  ${file.name.padEnd(12)} ${describe(file)}`);
  return [header, ...lines, ...explainDifference({ ffmpeg, files })].join('\n');
}

/** The possible reasons of a difference: the threads of encoders are in the log, so they are none. */
function explainDifference({ ffmpeg, files }: Pick<Reproduction, 'ffmpeg' | 'files'>): string[] {
  if (!files.some(({ result }) => result === 'different' || result === 'different bytes')) return [];
  return ffmpeg.job === ffmpeg.here
    ? [
        'Both are the same version of ffmpeg: other libraries of encoders, another processor architecture, or another file.',
      ]
    : [`The job ran ${ffmpeg.job}: another version of an encoder writes other frames.`];
}

function describe(file: ReproducedFile): string {
  switch (file.result) {
    case 'same bytes':
      return `the same, byte by byte: ${file.bytes} bytes`;
    case 'same frames':
      return `the same, frame by frame: ${file.frames} decoded frames of video and audio; other bytes`;
    case 'different': {
      const ssim = file.ssim === undefined ? '' : `; SSIM of the videos ${file.ssim.toFixed(4)}`;
      return `DIFFERENT: ${file.differentFrames} of ${file.frames} decoded frames${ssim}`;
    }
    case 'different bytes':
      return 'DIFFERENT bytes, and ffmpeg cannot decode it';
    case 'not compared':
      return 'not compared: the service wrote it, not ffmpeg';
  }
}
