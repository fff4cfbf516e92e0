import { compression } from '../../../adapters/runtime/http/compression.ts';
import { publicRoute } from '../../../adapters/runtime/http/route.ts';
import { getFileContract } from '../../../core/api/files.ts';
import { getFile } from '../get-file.ts';
import { openFileDeps } from './open-file-deps.ts';

// The playlist of a long video has a name for each segment of a few seconds.
export const handler = publicRoute(getFileContract, getFile(openFileDeps()), compression);
