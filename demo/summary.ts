import type { JobResource } from '../core/api/job-resource.ts';

export type DemoResult = {
  jobId: string;
  state: JobResource['state'];
  inputBytes: number;
  outputBytes: number;
  /** From the POST to the terminal record. */
  seconds: number;
  /** The bare ffmpeg run with the same arguments on the same input. */
  ffmpegSeconds: number;
  webhook: { attempts: number; verified: boolean };
  outputPath: string;
  output_files: JobResource['output_files'];
};

/** The result as a person reads it. */
export function summary(result: DemoResult): string {
  const { inputBytes, outputBytes, seconds, ffmpegSeconds, webhook, outputPath, output_files } = result;
  const file = output_files?.output;
  const saved = Math.round((1 - outputBytes / inputBytes) * 100);
  const { attempts, verified } = webhook;
  const rows = [
    ['Size', `${megabytes(inputBytes)} before, ${megabytes(outputBytes)} after: ${saved} % saved`],
    ['Result', `${file?.codec}, ${file?.width}x${file?.height}, ${file?.duration} s, ${file?.mime_type}`],
    [
      'Time',
      `${seconds.toFixed(1)} s from the request to the result; ffmpeg alone takes ${ffmpegSeconds.toFixed(1)} s`,
    ],
    [
      'Webhook',
      `${attempts} attempt${attempts === 1 ? '' : 's'}, signature ${verified ? 'verified' : 'NOT verified'}`,
    ],
    ['File', outputPath],
  ];
  return rows.map(([name = '', text]) => `  ${name.padEnd(8)} ${text}`).join('\n');
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(2)} MB`;
}
