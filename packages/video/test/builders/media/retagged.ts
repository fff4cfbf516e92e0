import { extname, join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { bareFfmpeg } from './bare-ffmpeg.ts';

export type HeaderFilter = 'h264_metadata' | 'hevc_metadata' | 'av1_metadata' | 'mpeg2_metadata';

/** A copy of a video with other color tags in its headers, by numbers of ITU-T H.273, such as `matrix_coefficients=3`. */
export async function retagged(source: string, filter: HeaderFilter, tags: string): Promise<string> {
  const path = join(await aTemporaryFolder(), `retagged${extname(source)}`);
  await bareFfmpeg(['-v', 'error', '-i', source, '-c', 'copy', '-bsf:v', `${filter}=${tags}`, path]);
  return path;
}
