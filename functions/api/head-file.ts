import { publicRoute } from '../../adapters/runtime/http/route.ts';
import { openFileDeps } from '../../adapters/runtime/open-file-deps.ts';
import { headFileContract } from '../../core/api/files.ts';
import { headFile } from './app/head-file.ts';

export const handler = publicRoute(headFileContract, headFile(openFileDeps()));
