import type { JobResource } from '@media-jobs/core/api';

export type DemoResult = {
  jobId: string;
  state: JobResource['state'];
  inputBytes: number;
  outputBytes: number;
  /** From the POST to the terminal record. */
  seconds: number;
  /** ffmpeg alone, with the same arguments on the same input. */
  ffmpegSeconds: number;
  webhook: { attempts: number; verified: boolean };
  outputPath: string;
  output_files: JobResource['output_files'];
};

/** The result as text. */
export function formatResult(result: DemoResult): string {
  const { inputBytes, outputBytes, seconds, ffmpegSeconds, webhook, outputPath, output_files } = result;
  const file = output_files?.output;
  const savedPercent = Math.round((1 - outputBytes / inputBytes) * 100);
  const { attempts, verified } = webhook;
  const rows = [
    ['Size', `${formatMb(inputBytes)} before, ${formatMb(outputBytes)} after: ${savedPercent} % saved`],
    ['Result', `${file?.codec}, ${file?.width}x${file?.height}, ${file?.duration} s, ${file?.mime_type}`],
    [
      'Time',
      `${seconds.toFixed(1)} s from the request to the result; ffmpeg alone takes ${ffmpegSeconds.toFixed(1)} s`,
    ],
    ['Webhook', `${attempts} attempt${attempts === 1 ? '' : 's'}, signature ${verified ? 'verified' : 'NOT verified'}`],
    ['File', outputPath],
  ];
  return rows.map(([name = '', text]) => `  ${name.padEnd(8)} ${text}`).join('\n');
}

function formatMb(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(2)} MB`;
}
