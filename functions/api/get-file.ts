import { compression } from '../../adapters/runtime/http/compression.ts';
import { publicRoute } from '../../adapters/runtime/http/route.ts';
import { openFileDeps } from '../../adapters/runtime/open-file-deps.ts';
import { getFileContract } from '../../core/api/files.ts';
import { getFile } from './app/get-file.ts';

// The playlist of a long video has a name for each segment of a few seconds.
export const handler = publicRoute(getFileContract, getFile(openFileDeps()), compression);
