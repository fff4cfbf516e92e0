import { publicRoute } from '../../../adapters/runtime/http/route.ts';
import { headFileContract } from '../../../core/api/files.ts';
import { headFile } from '../head-file.ts';
import { openFileDeps } from './open-file-deps.ts';

export const handler = publicRoute(headFileContract, headFile(openFileDeps()));
